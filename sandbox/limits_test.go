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

func TestOverran(t *testing.T) {
	const s = time.Second
	equal, apart, cpuLarger := Limits{Wall: 10 * s, CPU: 10 * s}, Limits{Wall: 10 * s, CPU: 3 * s}, Limits{Wall: 10 * s, CPU: 20 * s}
	for _, c := range []struct {
		name            string
		l               Limits
		own, cpu        time.Duration
		wall, processor bool
	}{
		{"below both", equal, 9 * s, 9 * s, false, false},
		{"exactly at both", equal, 10 * s, 10 * s, false, false},
		{"asleep past the wall", equal, 11 * s, 0, true, false},
		{"computing past the wall, just not past the processor limit", equal, 10*s + 1, 9 * s, true, true},
		{"computing three quarters", equal, 12 * s, 9 * s, true, true},
		{"computing half", equal, 12 * s, 6 * s, true, false},
		{"threads past the processor limit before the wall", equal, 6 * s, 11 * s, false, true},
		{"past the smaller processor limit", apart, 4 * s, 3*s + 1, false, true},
		{"asleep with a smaller processor limit", apart, 11 * s, 2 * s, true, false},
		{"computing past the wall where more processor time is allowed", cpuLarger, 11 * s, 11 * s, true, false},
	} {
		if wall, processor := c.l.Overran(c.own, c.cpu); wall != c.wall || processor != c.processor {
			t.Errorf("%s: %v, %v; want %v, %v", c.name, wall, processor, c.wall, c.processor)
		}
	}
}
