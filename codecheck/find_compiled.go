package codecheck

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
)

// goCached are the packages of the standard library that programs of contests, exercises and their tests use. Others are compiled by
// the job that needs them.
var goCached = strings.Fields(`bufio bytes cmp container/heap container/list container/ring context crypto/md5 crypto/rand crypto/sha1
	crypto/sha256 crypto/sha512 encoding/base64 encoding/binary encoding/csv encoding/hex encoding/json errors flag fmt hash/crc32 hash/fnv
	io iter log maps math math/big math/bits math/cmplx math/rand math/rand/v2 os os/signal path path/filepath reflect regexp runtime runtime/debug
	slices sort strconv strings sync sync/atomic testing testing/quick text/tabwriter text/template time unicode unicode/utf16 unicode/utf8`)

// findGo takes the first Go on the path, with a build cache of its own that holds goCached. Making it takes a quarter of a minute
// of processor time, once per version. Jobs read it and cannot write to it, so nothing of one candidate reaches the next;
// cgo is off, since it would hand a candidate the command lines of the C compiler and linker.
func findGo(names []string) (Toolchain, error) {
	for _, exe := range candidates(names) {
		out, err := exec.Command(exe, "env", "-json", "GOROOT", "GOVERSION").Output()
		var e struct{ GOROOT, GOVERSION string }
		if err != nil || json.Unmarshal(out, &e) != nil || e.GOROOT == "" {
			continue
		}
		real := filepath.Join(e.GOROOT, "bin", "go")
		env := []string{"GOTOOLCHAIN=local", "GOFLAGS=-buildvcs=false", "CGO_ENABLED=0", "GOPROXY=off", "GOSUMDB=off", "GOENV=off", "GO111MODULE=auto", "GOTELEMETRY=off", "GODEBUG=goindex=0", "GOROOT=" + e.GOROOT}
		cache, err := prepared("go", append([]string{real, e.GOVERSION}, env...), func(dir string) error {
			cmd := exec.Command(real, append([]string{"build"}, goCached...)...)
			cmd.Dir, cmd.Env = dir, append(env, "GOCACHE="+dir, "HOME="+dir, "PATH="+os.Getenv("PATH"))
			if out, err := cmd.CombinedOutput(); err != nil {
				return fmt.Errorf("go build: %w: %.300s", err, out)
			}
			return nil
		})
		if err != nil {
			return Toolchain{}, err
		}
		env = append(env, "GOCACHE="+cache, "GOTMPDIR=/tmp", "TMPDIR=/tmp", "HOME=/tmp", "GOPATH=/tmp/go")
		return Toolchain{
			Exe: real, Version: strings.TrimPrefix(e.GOVERSION, "go"), Tools: map[string][]string{"go": {real}, "gofmt": {filepath.Join(e.GOROOT, "bin", "gofmt")}},
			Env: env, Binds: binds(e.GOROOT, cache),
		}, nil
	}
	return Toolchain{}, fmt.Errorf("go: %w: no go command on the path (go.dev/dl, or Debian: apt-get install golang-go)", ErrNoToolchain)
}

// findRust takes the compiler behind rustup's shim, with its own folder and the system's linker.
func findRust(names []string) (Toolchain, error) {
	if home, err := os.UserHomeDir(); err == nil {
		names = append(names, filepath.Join(home, ".cargo", "bin", "rustc"))
	}
	for _, exe := range candidates(names) {
		root, err := exec.Command(exe, "--print", "sysroot").Output()
		if err != nil {
			continue
		}
		version, err := exec.Command(exe, "--version").Output()
		if err != nil {
			continue
		}
		dir := strings.TrimSpace(string(root))
		real := filepath.Join(dir, "bin", "rustc")
		if !isFile(real) {
			real = exe
		}
		linker, err := findCompiler([]string{"cc", "gcc", "clang"})
		if err != nil {
			return Toolchain{}, fmt.Errorf("rust: rustc is here, and nothing to link with: %w", err)
		}
		words := strings.Fields(string(version))
		t := Toolchain{
			Exe: real, Version: words[min(1, len(words)-1)], Tools: map[string][]string{"rustc": {real}},
			Env:   []string{"HOME=/tmp", "CARGO_HOME=/tmp/cargo", "CARGO_NET_OFFLINE=true", "CARGO_TERM_COLOR=never", "RUST_BACKTRACE=0", "RUSTC=" + real},
			Binds: append(binds(dir, real), linker.Binds...),
		}
		if cargo := filepath.Join(filepath.Dir(real), "cargo"); isFile(cargo) {
			t.Tools["cargo"] = []string{cargo}
		}
		return t, nil
	}
	return Toolchain{}, fmt.Errorf("rust: %w: no rustc on the path (rustup.rs, or Debian: apt-get install rustc)", ErrNoToolchain)
}

var javaHome = regexp.MustCompile(`(?m)^\s*java\.home = (.+)$`)
var javaVersion = regexp.MustCompile(`(?m)^\s*java\.version = (.+)$`)

// javaFlags make a small, quick start: one collector thread, the shared archive of classes, no file for monitoring tools. The heap
// follows the job's limit, since the machine's memory is not what there is; what the limit counts is the cgroup's memory,
// not address space, of which a JVM reserves gigabytes.
var javaFlags = []string{"-XX:+UseSerialGC", "-Xshare:auto", "-XX:-UsePerfData", "-XX:ActiveProcessorCount=2", "-Xmx{heap}m"}

// findJava takes the JDK of the javac on the path. A version manager's shim is asked for its home by starting it.
func findJava(names []string) (Toolchain, error) {
	for _, exe := range candidates(names) {
		java := filepath.Join(filepath.Dir(exe), "java")
		if real, err := filepath.EvalSymlinks(exe); err == nil && isFile(filepath.Join(filepath.Dir(real), "java")) {
			java = filepath.Join(filepath.Dir(real), "java")
		}
		out, err := exec.Command(java, "-XshowSettings:properties", "-version").CombinedOutput()
		home, version := javaHome.FindSubmatch(out), javaVersion.FindSubmatch(out)
		if err != nil || home == nil || version == nil {
			continue
		}
		dir := strings.TrimSpace(string(home[1]))
		javac := filepath.Join(dir, "bin", "javac")
		if !isFile(javac) {
			continue
		}
		java = filepath.Join(dir, "bin", "java")
		tools := map[string][]string{"java": append([]string{java}, javaFlags...), "javac": {javac}, "jar": {filepath.Join(dir, "bin", "jar")}}
		for _, f := range javaFlags {
			tools["javac"] = append(tools["javac"], "-J"+f)
		}
		tools["javac"] = append(tools["javac"], "-J-XX:TieredStopAtLevel=1", "-proc:none")
		return Toolchain{
			Exe: javac, Version: strings.TrimSpace(string(version[1])), Tools: tools, Env: []string{"JAVA_HOME=" + dir, "HOME=/tmp"},
			Binds: binds(append([]string{dir}, linkedFolders(filepath.Join(dir, "conf"), filepath.Join(dir, "lib"))...)...),
		}, nil
	}
	return Toolchain{}, fmt.Errorf("java: %w: no javac on the path (Debian: apt-get install default-jdk-headless)", ErrNoToolchain)
}

// linkedFolders are the folders outside that links in these trees lead to: Debian keeps a JDK's settings below /etc.
func linkedFolders(roots ...string) []string {
	var found []string
	for _, root := range roots {
		_ = filepath.WalkDir(root, func(p string, d os.DirEntry, err error) error { // what cannot be read is not needed
			if err == nil && d.Type()&os.ModeSymlink != 0 {
				if real, err := filepath.EvalSymlinks(p); err == nil && !strings.HasPrefix(real, root+"/") && !strings.HasPrefix(real, "/usr/") {
					found = append(found, filepath.Dir(real))
				}
			}
			return nil
		})
	}
	return found
}
