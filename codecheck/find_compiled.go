package codecheck

import (
	"encoding/json"
	"errors"
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
		folders := append([]string{dir}, linkedFolders(filepath.Join(dir, "conf"), filepath.Join(dir, "lib"))...)
		if classes, err := javacClasses(tools["javac"], string(version[1])); err == nil { // without them the compiler only starts slower
			tools["javac"] = append(tools["javac"], "-J-XX:SharedArchiveFile="+filepath.Join(classes, javacArchive))
			folders = append(folders, classes)
		}
		return Toolchain{
			Exe: javac, Version: strings.TrimSpace(string(version[1])), Tools: tools, Env: []string{"JAVA_HOME=" + dir, "HOME=/tmp"},
			Binds: binds(folders...),
		}, nil
	}
	return Toolchain{}, fmt.Errorf("java: %w: no javac on the path (Debian: apt-get install default-jdk-headless)", ErrNoToolchain)
}

// javacArchive holds the compiler's own classes as a JVM has them in memory (JEP 350, since JDK 13): loading and checking them anew
// takes a third of compiling a small program. It is made of the toolchain alone.
const javacArchive = "javac.jsa"

const javacSample = `import java.util.*; import java.util.function.*; import java.util.stream.*;
public class Main {
    interface Shape { default double area() { return 0; } }
    enum Kind { A, B }
    static <T extends Comparable<T>> T most(List<T> list) { T best = null; for (T x : list) if (best == null || x.compareTo(best) > 0) best = x; return best; }
    public static void main(String[] args) throws Exception {
        Map<String, List<Integer>> m = new TreeMap<>(); int[][] grid = new int[3][4]; StringBuilder b = new StringBuilder();
        for (int i = 0; i < 3; i++) { m.computeIfAbsent("k" + i % 2, k -> new ArrayList<>()).add(i); grid[i][i] += i; b.append(i).append(','); }
        Function<Integer, Integer> f = x -> x * 2; Shape s = new Shape() { public double area() { return Math.PI; } };
        try (Scanner in = new Scanner(System.in)) { switch (b.length()) { case 0: break; default: b.setLength(0); } } catch (RuntimeException e) { throw e; } finally { b.append("x"); }
        System.out.println(m.values().stream().flatMap(List::stream).map(f).collect(Collectors.toList()) + " " + most(Arrays.asList(1, 2)) + s.area() + Kind.valueOf("A") + (args.length > 0 ? args[0] : ""));
    }
}
`

// javacClasses gives the folder with the archive.
func javacClasses(javac []string, version string) (string, error) {
	line := make([]string, len(javac))
	for i, a := range javac {
		line[i] = strings.ReplaceAll(a, "{heap}", "384")
	}
	return prepared("java", append(line, version, javacSample), func(dir string) error {
		source := filepath.Join(dir, "Main.java")
		if err := os.WriteFile(source, []byte(javacSample), 0o644); err != nil {
			return err
		}
		cmd := exec.Command(line[0], append(line[1:], "-J-XX:ArchiveClassesAtExit="+filepath.Join(dir, javacArchive), "-d", dir, source)...)
		cmd.Env = []string{"HOME=" + dir, "PATH=/usr/bin:/bin"}
		if out, err := cmd.CombinedOutput(); err != nil {
			return fmt.Errorf("%w: %.300s", err, out)
		}
		if !isFile(filepath.Join(dir, javacArchive)) {
			return errors.New("the JVM made no archive")
		}
		return os.Chmod(filepath.Join(dir, javacArchive), 0o644)
	})
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
