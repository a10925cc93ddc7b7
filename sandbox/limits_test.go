package sandbox

import (
	"testing"
	"time"
)

func TestLimitsOrDefaults(t *testing.T) {
	got, err := Limits{Wall: time.Second, Processes: 3}.OrDefaults()
	if err != nil {
		t.Fatal(err)
	}
	want := DefaultLimits()
	want.Wall, want.Processes = time.Second, 3
	if got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
	for _, l := range []Limits{{Wall: -1}, {CPU: -1}, {Memory: -1}, {Output: -1}, {File: -1}, {Disk: -1}, {Stack: -1}, {Processes: -1}, {OpenFiles: -1}, {Inodes: -1}} {
		if _, err := l.OrDefaults(); err == nil {
			t.Errorf("%+v: no error", l)
		}
	}
	if got := (Limits{Wall: 2 * time.Second}).Outer(); got != 13*time.Second {
		t.Errorf("outer deadline %v", got)
	}
}

func TestJobPath(t *testing.T) {
	for name, want := range map[string]string{
		"a": "a", "a/b": "a/b", "./a": "a", "a/../b": "b", "a//b": "a/b", WorkDir + "/x": "x", WorkDir + "/a/../b": "b", "...": "...", "-rf": "-rf",
	} {
		if got, err := JobPath(name); err != nil || got != want {
			t.Errorf("JobPath(%q) = %q, %v; want %q", name, got, err, want)
		}
	}
	for _, name := range []string{"", ".", "..", "../a", "a/../..", "/", "/etc/passwd", WorkDir, WorkDir + "/", WorkDir + "x/a", WorkDir + "/../etc", "a\x00b"} {
		if got, err := JobPath(name); err == nil {
			t.Errorf("JobPath(%q) = %q, want an error", name, got)
		}
	}
}
