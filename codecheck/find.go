package codecheck

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/verifyd/verifyd/sandbox"
)

// ErrNoToolchain is wrapped by the error of a Check or Run whose language has no compiler or interpreter here.
var ErrNoToolchain = errors.New("no toolchain")

// askPython makes an interpreter tell where it really is: what stands on the path may be a shell shim of a version
// manager. Isolated mode, so that nothing of the caller's environment is loaded.
const askPython = `import sys, json, sysconfig
print(json.dumps([getattr(sys, "_base_executable", None) or sys.executable, sys.base_prefix, sys.base_exec_prefix, list(sys.version_info[:3]), sysconfig.get_paths()["stdlib"], sysconfig.get_paths()["purelib"]]))`

// findPython takes the first Python 3.11 among the names on the path and in the system's folders, else the first that is
// at least 3.10: the harness is tested with 3.11 and uses nothing newer than 3.10.
func findPython(names []string) (Toolchain, error) {
	var best Toolchain
	for _, exe := range candidates(names) {
		t, minor, err := tryPython(exe)
		if err != nil || minor < 10 {
			continue
		}
		if minor == 11 {
			return t, nil
		}
		if best.Exe == "" {
			best = t
		}
	}
	if best.Exe == "" {
		return best, fmt.Errorf("python: %w: no Python 3.10 or newer on the path (Debian: apt-get install python3)", ErrNoToolchain)
	}
	return best, nil
}

func tryPython(exe string) (Toolchain, int, error) {
	cmd := exec.Command(exe, "-I", "-S", "-c", askPython)
	out, err := cmd.Output()
	if err != nil {
		return Toolchain{}, 0, fmt.Errorf("python: ask %s: %w", exe, err)
	}
	var real, prefix, execPrefix, stdlib, packages string
	var version [3]int
	if err := json.Unmarshal(out, &[]any{&real, &prefix, &execPrefix, &version, &stdlib, &packages}); err != nil {
		return Toolchain{}, 0, fmt.Errorf("python: ask %s: %w", exe, err)
	}
	if real, err = filepath.EvalSymlinks(real); err != nil || version[0] != 3 {
		return Toolchain{}, 0, fmt.Errorf("python: %s is no Python 3", exe)
	}
	t := Toolchain{Exe: real, Tools: map[string][]string{"python3": {real}, "python": {real}}, Version: fmt.Sprintf("%d.%d.%d", version[0], version[1], version[2]), Packages: packages}
	if prefix == "/usr" || prefix == "/" { // the system's own: only its library and binary, not all of /usr
		t.Packages = "/usr/lib/python3/dist-packages"
		t.Binds = binds(real, stdlib, "/usr/lib/python3")
	} else {
		t.Binds = binds(prefix, execPrefix, real)
	}
	return t, version[1], nil
}

// findCompiler takes the first of the names that exists, with the folders that GCC and Clang read on Debian-like systems.
func findCompiler(names []string) (Toolchain, error) {
	for _, exe := range candidates(names) {
		real, err := filepath.EvalSymlinks(exe)
		if err != nil {
			continue
		}
		return Toolchain{Exe: exe, Tools: sameTool(names, exe), Binds: binds(exe, real, "/usr/include", "/usr/lib/gcc", "/usr/libexec/gcc", "/usr/lib/llvm", "/usr/local/include")}, nil
	}
	return Toolchain{}, fmt.Errorf("%s: %w: none of these is installed (Debian: apt-get install %s)", strings.Join(names, ", "), ErrNoToolchain, names[0])
}

// findBash takes the shell, and bats where it is installed.
func findBash(names []string) (Toolchain, error) {
	t, err := findCompiler(names)
	if err != nil {
		return t, err
	}
	if found := candidates([]string{"bats"}); len(found) > 0 {
		t.Tools["bats"] = []string{found[0]}
	}
	return t, nil
}

// sameTool lets each of the names stand for what its namesake is, and for exe where there is none.
func sameTool(names []string, exe string) map[string][]string {
	tools := map[string][]string{}
	for _, name := range names {
		tools[filepath.Base(name)] = []string{exe}
		if found := candidates([]string{name}); len(found) > 0 {
			tools[filepath.Base(name)] = []string{found[0]}
		}
	}
	return tools
}

// candidates lists where the names might be: the path first, then the system's folders.
func candidates(names []string) []string {
	var found []string
	for _, name := range names {
		if filepath.IsAbs(name) {
			found = append(found, name)
			continue
		}
		if p, err := exec.LookPath(name); err == nil {
			found = append(found, p)
		}
	}
	for _, name := range names {
		for _, dir := range []string{"/usr/local/bin", "/usr/bin", "/bin"} {
			if p := filepath.Join(dir, name); !filepath.IsAbs(name) && isFile(p) {
				found = append(found, p)
			}
		}
	}
	return found
}

func isFile(path string) bool {
	st, err := os.Stat(path)
	return err == nil && st.Mode().IsRegular()
}

// binds shows those of the paths that exist at their own places, leaving out what lies below an earlier one.
func binds(paths ...string) []sandbox.Bind {
	var list []sandbox.Bind
next:
	for _, p := range paths {
		if _, err := os.Stat(p); p == "" || err != nil {
			continue
		}
		for _, b := range list {
			if p == b.Host || strings.HasPrefix(p, b.Host+"/") {
				continue next
			}
		}
		list = append(list, sandbox.Bind{Host: p, Job: p})
	}
	return list
}
