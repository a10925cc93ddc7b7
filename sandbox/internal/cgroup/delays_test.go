//go:build linux

package cgroup

import (
	"os"
	"strconv"
	"testing"
	"time"
)

func TestSchedstat(t *testing.T) {
	for _, c := range []struct {
		text        string
		run, waited time.Duration
		ok          bool
	}{
		{"1500 300 7\n", 1500, 300, true},
		{"0 0 0\n", 0, 0, false},
		{"1500 300\n", 0, 0, false},
		{"x 300 7\n", 0, 300, false},
		{"", 0, 0, false},
	} {
		if run, waited, ok := schedstat([]byte(c.text)); run != c.run || waited != c.waited || ok != c.ok {
			t.Errorf("%q: %v, %v, %v", c.text, run, waited, ok)
		}
	}
}

func TestDelaysOfLivingTasks(t *testing.T) {
	f := newFake(t)
	f.write("v2/cgroup.controllers", "\n")
	l := Detect(f.mounts(v2Mount), "0::/\n")
	l.fill()
	g, err := l.New("slot")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := g.Begin("job", Limits{}); err != nil {
		t.Fatal(err)
	}
	if _, _, ok := g.Delays(); ok {
		t.Error("a group without tasks has delays")
	}
	if _, err := os.Stat("/proc/self/schedstat"); err != nil {
		t.Skip("no schedstat here")
	}
	f.write("v2/job/cgroup.threads", strconv.Itoa(os.Getpid())+"\n999999999\n")
	if run, _, ok := g.Delays(); !ok || run <= 0 {
		t.Errorf("ran for %v, %v", run, ok)
	}
	many := ""
	for i := range mostTasks + 1 {
		many += strconv.Itoa(i+1) + "\n"
	}
	f.write("v2/job/cgroup.threads", many)
	if _, _, ok := g.Delays(); ok {
		t.Error("too many tasks were asked")
	}
}
