package dataset

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/verifyd/verifyd/optimize"
	"github.com/verifyd/verifyd/rollout"
)

// Private are members of a row that are never published.
func Private(key string) bool {
	switch key {
	case "privileged", "reference", "answer", "target", "solution", "label", "expected", "tests", "world_state", "faults", "info", "metadata":
		return true
	}
	return false
}

// AppendPublished appends a row as it is published: without private members, stamped with how often its task passed.
func (g *Gate) AppendPublished(dst []byte, r *rollout.Row) []byte {
	if rate, ok := g.Rate(r); ok {
		return optimize.AppendCalibrated(dst, r, &rate, Private)
	}
	dst, _ = r.AppendMembers(append(dst, '{'), Private)
	return append(dst, '}')
}

// Manifest stands beside published rows.
type Manifest struct {
	Name    string     `json:"name"`
	Version string     `json:"version"` // SHA-256 of the rows
	Rows    int        `json:"n_rows"`
	Parent  string     `json:"parent,omitempty"` // the version before
	Gate    GateReport `json:"gate"`
	Sources []string   `json:"sources"` // base names of the files that the rows came from
}

var safeName = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$`)

// CheckName refuses names that are no plain file names.
func CheckName(name string) error {
	if !safeName.MatchString(name) || strings.Contains(name, "..") {
		return fmt.Errorf("name %.60q: want letters, digits, dots, dashes and underscores, a letter or digit first", name)
	}
	return nil
}

// Publication writes rows to a folder: DIR/NAME/VERSION/rows.jsonl with manifest.json beside it, and DIR/NAME/latest with the version.
// A version is there wholly or not at all. Not for concurrent use.
type Publication struct {
	folder string // DIR/NAME
	temp   string
	file   *os.File
	sum    hash.Hash
	rows   int
}

// Publish opens a publication under dir.
func Publish(dir, name string) (*Publication, error) {
	if err := CheckName(name); err != nil {
		return nil, err
	}
	p := &Publication{folder: filepath.Join(dir, name), sum: sha256.New()}
	if err := os.MkdirAll(p.folder, 0o755); err != nil {
		return nil, fmt.Errorf("publish: %w", err)
	}
	var err error
	if p.temp, err = os.MkdirTemp(p.folder, ".new-*"); err != nil {
		return nil, fmt.Errorf("publish: %w", err)
	}
	if p.file, err = os.Create(filepath.Join(p.temp, "rows.jsonl")); err != nil {
		return nil, errors.Join(fmt.Errorf("publish: %w", err), os.RemoveAll(p.temp))
	}
	return p, nil
}

// Write adds one row, without a line's end.
func (p *Publication) Write(line []byte) error {
	p.rows++
	_, err := io.MultiWriter(p.file, p.sum).Write(append(line, '\n'))
	return err
}

// Abort drops what was written.
func (p *Publication) Abort() error { return errors.Join(p.file.Close(), os.RemoveAll(p.temp)) }

// Commit makes the version visible and the latest. The same rows published again are the same version.
func (p *Publication) Commit(m Manifest) (Manifest, error) {
	m.Rows, m.Version = p.rows, hex.EncodeToString(p.sum.Sum(nil))
	latest := filepath.Join(p.folder, "latest")
	if before, err := os.ReadFile(latest); err == nil && strings.TrimSpace(string(before)) != m.Version {
		m.Parent = strings.TrimSpace(string(before))
	}
	b, err := json.MarshalIndent(&m, "", "  ")
	if err != nil {
		return m, errors.Join(err, p.Abort())
	}
	err = errors.Join(p.file.Sync(), p.file.Close(), os.WriteFile(filepath.Join(p.temp, "manifest.json"), append(b, '\n'), 0o644), os.Chmod(p.temp, 0o755)) //nolint:gosec // rows are published
	if err != nil {
		return m, errors.Join(fmt.Errorf("publish: %w", err), os.RemoveAll(p.temp))
	}
	final := p.Path(m.Version)
	if _, err := os.Stat(final); err == nil {
		err = os.RemoveAll(p.temp)
		return m, errors.Join(err, p.point(latest, m.Version))
	}
	if err := os.Rename(p.temp, final); err != nil {
		return m, errors.Join(fmt.Errorf("publish: %w", err), os.RemoveAll(p.temp))
	}
	return m, p.point(latest, m.Version)
}

// Path is the folder of a version.
func (p *Publication) Path(version string) string { return filepath.Join(p.folder, version[:16]) }

// point makes a version the latest.
func (p *Publication) point(latest, version string) error {
	temp := latest + ".new"
	if err := os.WriteFile(temp, []byte(version+"\n"), 0o644); err != nil { //nolint:gosec // as above
		return fmt.Errorf("publish: %w", err)
	}
	return os.Rename(temp, latest)
}
