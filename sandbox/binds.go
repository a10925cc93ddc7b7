package sandbox

import (
	"bufio"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// defaultRoots are the folders of the host that every native root shows: the usual small programs and system libraries.
var defaultRoots = []string{"/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32"}

// BindsFor makes a Root that also shows the given folders of the host, each at its own path and read-only. Prefixes that
// the default root holds already are left out, and so is a prefix below another. Symbolic links are resolved: where the
// given path and the real one differ, both names work in the job.
func BindsFor(prefixes ...string) Root {
	var all []Bind
	for _, p := range prefixes {
		p = filepath.Clean(p)
		if !filepath.IsAbs(p) || p == "/" || inAny(p, defaultRoots) {
			continue
		}
		real, err := filepath.EvalSymlinks(p)
		if err != nil {
			real = p
		}
		all = append(all, Bind{Host: real, Job: p})
		if real != p && !inAny(real, defaultRoots) {
			all = append(all, Bind{Host: real, Job: real})
		}
	}
	slices.SortFunc(all, func(a, b Bind) int { return strings.Compare(a.Job, b.Job) })
	var kept []Bind
	for _, b := range all {
		if len(kept) > 0 {
			if last := kept[len(kept)-1]; last.Job == b.Job || below(b.Job, last.Job) && last.Host == last.Job && b.Host == b.Job {
				continue
			}
		}
		kept = append(kept, b)
	}
	return Root{Binds: kept}
}

func inAny(p string, roots []string) bool {
	for _, r := range roots {
		if p == r || below(p, r) {
			return true
		}
	}
	return false
}

func below(p, dir string) bool { return strings.HasPrefix(p, strings.TrimSuffix(dir, "/")+"/") }

// ResolveRuntime finds the real program behind a name (searched in the caller's PATH) or path, and the Root that a job
// needs to run it: the program's prefix (the folder above its bin) where the default root does not hold it. Symbolic
// links are followed. A script cannot be followed, since only its interpreter knows what it starts: the error then wraps
// ErrScript and names the script's interpreter, and the caller asks that program itself (a Python shim, for example, by
// running it with -c "import sys; print(sys.executable)").
func ResolveRuntime(name string) (Root, string, error) {
	found, err := lookPath(name)
	if err != nil {
		return Root{}, "", fmt.Errorf("sandbox: find runtime %q: %w", name, err)
	}
	real, err := filepath.EvalSymlinks(found)
	if err != nil {
		return Root{}, "", fmt.Errorf("sandbox: find runtime %q: %w", name, err)
	}
	if interp, isScript := shebang(real); isScript {
		return Root{}, real, fmt.Errorf("sandbox: runtime %q is a script for %s: %w", real, interp, ErrScript)
	}
	dir := filepath.Dir(real)
	if filepath.Base(dir) == "bin" {
		dir = filepath.Dir(dir)
	}
	if dir == "/" {
		return Root{}, real, nil
	}
	return BindsFor(dir), real, nil
}

func lookPath(name string) (string, error) {
	if strings.ContainsRune(name, '/') {
		return filepath.Abs(name)
	}
	for _, dir := range filepath.SplitList(os.Getenv("PATH")) {
		p := filepath.Join(dir, name)
		if st, err := os.Stat(p); err == nil && st.Mode().IsRegular() && st.Mode()&0o111 != 0 && filepath.IsAbs(p) {
			return p, nil
		}
	}
	return "", os.ErrNotExist
}

// shebang tells whether a file is a script, and by which interpreter line.
func shebang(p string) (string, bool) {
	f, err := os.Open(p)
	if err != nil {
		return "", false
	}
	defer func() { _ = f.Close() }() // opened for reading
	line, _ := bufio.NewReader(f).ReadString('\n')
	interp, isScript := strings.CutPrefix(line, "#!")
	return strings.TrimSpace(interp), isScript
}
