package archtest

import (
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// trackedFiles are the files of the repository, slash-separated; outside a clone (an archive) the test is skipped.
func trackedFiles(t *testing.T) []string {
	t.Helper()
	cmd := exec.Command("git", "-c", "safe.directory=*", "ls-files", "-z")
	cmd.Dir = root()
	out, err := cmd.Output()
	if err != nil {
		t.Skipf("git ls-files: %v", err)
	}
	return strings.Split(strings.TrimRight(string(out), "\x00"), "\x00")
}

func readTracked(t *testing.T, name string) []byte {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root(), filepath.FromSlash(name)))
	if os.IsNotExist(err) { // removed and not yet committed
		return nil
	}
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// TestPackagesAreExplained: each package states its job in a package comment, in one file.
func TestPackagesAreExplained(t *testing.T) {
	for _, p := range allPackages(t) {
		if len(p.files) == 0 {
			continue
		}
		var in []string
		for name := range p.texts {
			in = append(in, name)
		}
		// Twins for other systems may each say how they do it there; a package without any comment says nothing.
		if len(in) == 0 {
			t.Errorf("%s: no package comment; a doc.go states the package's job", p.dir)
		}
	}
}

// TestDataNamesItsSource: each folder of test data and the demonstration say where they come from and under which licence.
func TestDataNamesItsSource(t *testing.T) {
	folders := map[string]bool{"cmd/verifyd/demo": true}
	for _, name := range trackedFiles(t) {
		if parts := strings.Split(name, "/"); len(parts) > 3 && parts[0] == "testdata" && parts[1] == "corpus" {
			folders[strings.Join(parts[:3], "/")] = true
		}
	}
	for folder := range folders {
		text := string(readTracked(t, folder+"/README.md"))
		if !strings.Contains(strings.ToLower(text), "licence") && !strings.Contains(strings.ToLower(text), "license") {
			t.Errorf("%s: no README.md that names source and licence", folder)
		}
	}
}

var markdownLink = regexp.MustCompile(`\]\(([^)\s]+)\)`)

// TestLinksLeadSomewhere: a relative link in a page leads to a file of the repository.
func TestLinksLeadSomewhere(t *testing.T) {
	for _, name := range trackedFiles(t) {
		if !strings.HasSuffix(name, ".md") {
			continue
		}
		for _, m := range markdownLink.FindAllSubmatch(withoutCode(readTracked(t, name)), -1) {
			target, err := url.Parse(string(m[1]))
			if err != nil || target.Scheme != "" || target.Path == "" {
				continue
			}
			if _, err := os.Stat(filepath.Join(root(), filepath.Dir(name), filepath.FromSlash(target.Path))); err != nil {
				t.Errorf("%s: the link to %s leads nowhere", name, m[1])
			}
		}
	}
}

var codeInMarkdown = regexp.MustCompile("(?s)```.*?```|`[^`\n]*`")

func withoutCode(page []byte) []byte { return codeInMarkdown.ReplaceAll(page, nil) }
