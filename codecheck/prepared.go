package codecheck

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"time"
)

// cacheFolder is a folder of ours below the user's cache folder, made where it is missing. Jobs see parts of it, read-only;
// nothing that a candidate makes is ever written there.
func cacheFolder(name string) (string, error) {
	base, err := os.UserCacheDir()
	if err != nil { // no home: a daemon's state is not ours to guess, so a private folder of this user
		base = filepath.Join(os.TempDir(), fmt.Sprintf("verifyd-%d", os.Getuid()))
		if err := os.Mkdir(base, 0o700); err != nil && !os.IsExist(err) {
			return "", err
		}
		if st, err := os.Lstat(base); err != nil || !st.IsDir() || !ownedByUs(st) {
			return "", fmt.Errorf("codecheck: %s belongs to somebody else", base)
		}
	}
	return filepath.Join(base, "verifyd", name), nil
}

// prepared gives a folder that was made once for what the words describe: files that a toolchain's jobs share, such as a compiled
// standard library. Two processes that make it at once both do the work, and one of them wins.
func prepared(name string, words []string, fill func(dir string) error) (string, error) {
	h := sha256.New()
	for _, w := range words {
		fmt.Fprintf(h, "%d:%s", len(w), w)
	}
	base, err := cacheFolder(name)
	if err != nil {
		return "", err
	}
	dir := filepath.Join(base, hex.EncodeToString(h.Sum(nil))[:16])
	if st, err := os.Stat(dir); err == nil && st.IsDir() {
		return dir, nil
	}
	if err := os.MkdirAll(base, 0o755); err != nil {
		return "", fmt.Errorf("codecheck: prepare %s: %w", name, err)
	}
	sweep(base)
	part, err := os.MkdirTemp(base, "part-")
	if err != nil {
		return "", fmt.Errorf("codecheck: prepare %s: %w", name, err)
	}
	defer func() { _ = os.RemoveAll(part) }() // gone where it was renamed
	if err := os.Chmod(part, 0o755); err != nil {
		return "", err
	}
	if err := fill(part); err != nil {
		return "", fmt.Errorf("codecheck: prepare %s: %w", name, err)
	}
	if err := os.Rename(part, dir); err != nil && !os.IsExist(err) {
		if st, serr := os.Stat(dir); serr != nil || !st.IsDir() {
			return "", fmt.Errorf("codecheck: prepare %s: %w", name, err)
		}
	}
	return dir, nil
}

// sweep removes what a process left that was killed in the middle of preparing.
func sweep(base string) {
	old, _ := filepath.Glob(filepath.Join(base, "part-*")) // the pattern is sound
	for _, dir := range old {
		if st, err := os.Stat(dir); err == nil && time.Since(st.ModTime()) > 2*time.Hour {
			_ = os.RemoveAll(dir) // next time, then
		}
	}
}
