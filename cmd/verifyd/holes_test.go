package main

import (
	"os"
	"path/filepath"
	"testing"
)

func TestRuncHole(t *testing.T) {
	for _, c := range []struct {
		version string
		ok      bool
	}{
		{"", true}, {"runc of somebody", true},
		{"runc version 1.0.0-rc93", false}, {"runc version 1.1.15", false}, {"runc version 1.2.7", false}, {"runc version 1.2.8\ncommit: x\n", true},
		{"runc version 1.3.0", false}, {"runc version 1.3.2", false}, {"runc version 1.3.3", true}, {"runc version 1.4.0-rc.2", false},
		{"runc version 1.4.0-rc.3", true}, {"runc version 1.4.0", true}, {"runc version 1.5.0", true}, {"runc version 2.0.1", true},
	} {
		if got := runcHole(c.version); got.OK != c.ok || got.OK != (got.Fix == "") {
			t.Errorf("%q: %+v", c.version, got)
		}
	}
}

func TestHolesOfAMachine(t *testing.T) {
	root := t.TempDir()
	for name, text := range map[string]string{
		"proc/net/tcp":  "  sl  local_address rem_address   st\n   0: 0100007F:0CEA 00000000:0000 0A 0\n   1: 0100007F:0947 0100007F:0CEA 01 0\n",
		"proc/net/tcp6": "  sl  local_address rem_address   st\n   0: 00000000000000000000000000000000:0947 00000000000000000000000000000000:0000 0A 0\n",
		"proc/sys/kernel/unprivileged_bpf_disabled": "0\n",
		"proc/sys/kernel/yama/ptrace_scope":         "1\n",
		"proc/sys/fs/suid_dumpable":                 "2\n",
		"proc/sys/kernel/kptr_restrict":             "nonsense\n",
	} {
		path := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got := map[string]bool{}
	for _, f := range findHoles(root, func() string { return "runc version 1.2.8" }) {
		got[f.Name] = f.OK
		if f.OK != (f.Fix == "") {
			t.Errorf("%+v", f)
		}
	}
	want := map[string]bool{"runc": true, "docker on tcp 2375": false, "kernel.unprivileged_bpf_disabled": false, "kernel.yama.ptrace_scope": true, "fs.suid_dumpable": false}
	if len(got) != len(want) {
		t.Errorf("got %v, want %v", got, want)
	}
	for name, ok := range want {
		if got[name] != ok {
			t.Errorf("%s: %v, want %v", name, got[name], ok)
		}
	}
	if listens([]byte("   1: 0100007F:0947 0100007F:0CEA 01 0\n"), 2375) {
		t.Error("a connection is no listener")
	}
}
