package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/verifyd/verifyd/codecheck"
)

// runtimesDir is the folder of runtime profiles.
func runtimesDir() (string, error) {
	if dir := os.Getenv("VERIFYD_RUNTIMES"); dir != "" {
		return dir, nil
	}
	if dir := os.Getenv("XDG_DATA_HOME"); dir != "" {
		return filepath.Join(dir, "verifyd", "runtimes"), nil
	}
	home, err := os.UserHomeDir()
	if err != nil {
		return "", fmt.Errorf("find the folder of runtimes (set VERIFYD_RUNTIMES): %w", err)
	}
	return filepath.Join(home, ".local", "share", "verifyd", "runtimes"), nil
}

// withRuntimes is the table of languages with this machine's runtime profiles. Without a home there are none.
func withRuntimes() ([]codecheck.Language, error) {
	dir, err := runtimesDir()
	if err != nil {
		return codecheck.Languages(), nil //nolint:nilerr // a daemon without a home has no profiles
	}
	list, err := codecheck.Runtimes(dir)
	if err != nil {
		return nil, err
	}
	return codecheck.WithRuntimes(codecheck.Languages(), list)
}

func newRuntime(a *app) *cobra.Command {
	c := &cobra.Command{
		Use:   "runtime",
		Short: "Build, list and check runtime profiles: an interpreter with packages of its own",
		Long: `A runtime profile is an interpreter with packages at fixed versions, for programs that need more than the standard library. A
verifier names it: {"kind": "code_exec", "runtime": "NAME"}. Profiles stand below $VERIFYD_RUNTIMES, else
~/.local/share/verifyd/runtimes; a daemon knows those that were there when it started.`,
	}
	c.AddCommand(newRuntimeBuild(a), newRuntimeList(a), newRuntimeCheck(a))
	return c
}

// runtimeFlags are the flags of runtime build.
type runtimeFlags struct {
	lock, python string
	preload      []string
}

func newRuntimeBuild(a *app) *cobra.Command {
	var f runtimeFlags
	c := &cobra.Command{
		Use:   "build NAME",
		Short: "Install the packages of a lock file as a profile",
		Long: `Install what a lock file names, in the form of pip: one NAME==VERSION a line, best with --hash, dependencies included. Nothing
else is installed, and nothing is built from source: wheels only. What was installed is hashed. --preload names modules that the
fork servers load ahead, which saves each program the time to import them; one that starts threads or cannot be imported is
refused, and the profile says why.`,
		Example: `  verifyd runtime build science --lock requirements.lock --preload numpy`,
		Args:    wants(1, 1, "NAME, the name of the profile"),
		RunE: func(c *cobra.Command, args []string) error {
			rt, err := f.build(c.Context(), args[0])
			if err == nil {
				a.showRuntime(rt)
			}
			return err
		},
	}
	c.Flags().StringVar(&f.lock, "lock", "", "`FILE` with the packages, one NAME==VERSION a line")
	c.Flags().StringVar(&f.python, "python", "", "`INTERPRETER` to use (default: the one that programs run with)")
	c.Flags().StringSliceVar(&f.preload, "preload", nil, "`MODULES` to load ahead, separated by commas")
	return c
}

// locked is a line of a lock file that names a package.
var locked = regexp.MustCompile(`^([A-Za-z0-9][A-Za-z0-9._-]*)(?:\[[^\]]*\])?\s*==\s*([A-Za-z0-9.!+_-]+)\s*(?:;[^\\]*)?(?:\\|--hash=|#|$)`)

// packagesOf reads a lock file; every requirement must be pinned.
func packagesOf(text string) ([]codecheck.Package, error) {
	var list []codecheck.Package
	for i, line := range strings.Split(text, "\n") {
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' || strings.HasPrefix(line, "--hash=") {
			continue
		}
		m := locked.FindStringSubmatch(line)
		if m == nil {
			return nil, usage("line %d of the lock file is no NAME==VERSION", i+1)
		}
		list = append(list, codecheck.Package{Name: m[1], Version: m[2]})
	}
	return list, nil
}

func (f *runtimeFlags) build(ctx context.Context, name string) (codecheck.Runtime, error) {
	rt := codecheck.Runtime{Name: name, Language: "python"}
	if !codecheck.RuntimeName.MatchString(name) {
		return rt, usage("%.40q is no name for a profile: small letters, digits, dots, dashes", name)
	}
	if f.lock == "" {
		return rt, usage("--lock is missing: the file that names the packages")
	}
	text, err := os.ReadFile(f.lock)
	if err != nil {
		return rt, usage("read the lock file: %w", err)
	}
	sum := sha256.Sum256(text)
	rt.Lock = hex.EncodeToString(sum[:])
	if rt.Packages, err = packagesOf(string(text)); err != nil {
		return rt, err
	}
	if err := f.interpreter(&rt); err != nil {
		return rt, unavailable(err)
	}
	root, err := runtimesDir()
	if err != nil {
		return rt, err
	}
	if err := os.MkdirAll(root, 0o755); err != nil {
		return rt, fmt.Errorf("make the folder of runtimes: %w", err)
	}
	half, err := os.MkdirTemp(root, "."+name+"-") // with a dot: not seen by others
	if err != nil {
		return rt, fmt.Errorf("make the folder of the runtime: %w", err)
	}
	defer func() { _ = os.RemoveAll(half) }() // it is gone where all went well
	rt.Site = filepath.Join(half, "site")
	if err := f.install(ctx, &rt); err != nil {
		return rt, err
	}
	return rt, place(rt, half, filepath.Join(root, name))
}

// interpreter settles which Python the profile has.
func (f *runtimeFlags) interpreter(rt *codecheck.Runtime) error {
	cfg := codecheck.Config{}
	if f.python != "" {
		cfg.Tools = map[string]string{"python": f.python}
	}
	runner, err := codecheck.New(noSandbox{}, cfg)
	if err != nil {
		return err
	}
	chain, err := runner.Toolchain("python")
	rt.Exe, rt.Version = chain.Exe, chain.Version
	return err
}

// install puts the packages into the profile's folder and tries the modules to preload.
func (f *runtimeFlags) install(ctx context.Context, rt *codecheck.Runtime) error {
	if err := os.Mkdir(rt.Site, 0o755); err != nil {
		return fmt.Errorf("make the folder of packages: %w", err)
	}
	if len(rt.Packages) > 0 {
		pip := exec.CommandContext(ctx, rt.Exe, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-input",
			"--no-deps", "--no-compile", "--only-binary", ":all:", "--target", rt.Site, "--requirement", f.lock)
		if out, err := pip.CombinedOutput(); err != nil {
			return unavailable(fmt.Errorf("install the packages: %w: %s", err, lastLines(string(out), 5)))
		}
	}
	var err error
	if rt.Tree, err = codecheck.TreeHash(rt.Site); err != nil {
		return err
	}
	rt.Preload, rt.Refused, err = tryPreload(ctx, *rt, f.preload)
	return err
}

// place moves the finished folder to its name, in the stead of one that was there.
func place(rt codecheck.Runtime, half, final string) error {
	if err := os.Chmod(half, 0o755); err != nil {
		return err
	}
	if err := rt.Write(half); err != nil {
		return fmt.Errorf("write the runtime's description: %w", err)
	}
	old := half + ".old"
	if err := os.Rename(final, old); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("put the old runtime away: %w", err)
	}
	if err := os.Rename(half, final); err != nil {
		return fmt.Errorf("put the runtime in its place: %w", err)
	}
	return os.RemoveAll(old)
}

// preloadTrial imports modules, each in turn, as a fork server would, and says how many threads there are after each.
const preloadTrial = `import sys, json, os
sys.path.append(sys.argv[1])
said = {}
out, sys.stdout = sys.stdout, sys.stderr
for name in sys.argv[2:]:
    try:
        __import__(name)
        said[name] = "" if len(os.listdir("/proc/self/task")) == 1 else "it starts threads, which a fork does not copy"
    except BaseException as e:
        said[name] = "it cannot be imported: " + type(e).__name__ + ": " + str(e)[:200]
out.write(json.dumps(said))
`

// tryPreload tells the modules that may be preloaded from the others. Each is tried with those accepted before it.
func tryPreload(ctx context.Context, rt codecheck.Runtime, modules []string) (good []string, refused map[string]string, err error) {
	refused = map[string]string{}
	for _, m := range modules {
		args := slices.Concat([]string{"-I", "-S", "-B", "-X", "utf8", "-c", preloadTrial, rt.Site}, good, []string{m})
		trial := exec.CommandContext(ctx, rt.Exe, args...)
		trial.Env = slices.Concat([]string{"PATH=/usr/local/bin:/usr/bin:/bin"}, codecheck.RuntimeEnv)
		out, err := trial.Output()
		said := map[string]string{m: "importing it ended the interpreter"}
		if err == nil {
			if err := json.Unmarshal(out, &said); err != nil {
				return nil, nil, fmt.Errorf("try to preload %s: %w", m, err)
			}
		}
		if said[m] == "" {
			good = append(good, m)
		} else {
			refused[m] = said[m]
		}
	}
	return good, refused, nil
}

func lastLines(text string, n int) string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	return strings.Join(lines[max(0, len(lines)-n):], "\n")
}
