package model

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"os"
	"path/filepath"
)

// cacheName is the address of an answer: a hash of the endpoint and the request. Neither key nor text can be read from it.
func cacheName(base string, body []byte) string {
	h := sha256.New()
	h.Write([]byte(base))
	h.Write([]byte{0})
	h.Write(body)
	return hex.EncodeToString(h.Sum(nil))
}

func (c *Client) cachePath(name string) string {
	return filepath.Join(c.config.CacheDir, name[:2], name+".json")
}

// cached is an answer kept earlier. A file that cannot be read or is broken is no answer.
func (c *Client) cached(name string) (Answer, bool) {
	if c.config.CacheDir == "" {
		return Answer{}, false
	}
	b, err := os.ReadFile(c.cachePath(name))
	var a Answer
	if err != nil || json.Unmarshal(b, &a) != nil {
		return Answer{}, false
	}
	a.Usage = Usage{Cached: 1}
	return a, true
}

// keep writes an answer beside its place and moves it there, so that no reader sees half of it. A cache that cannot be
// written costs the next run a question, no more.
func (c *Client) keep(name string, a Answer) {
	if c.config.CacheDir == "" {
		return
	}
	b, err := json.Marshal(a)
	path := c.cachePath(name)
	if err != nil || os.MkdirAll(filepath.Dir(path), 0o700) != nil {
		return
	}
	f, err := os.CreateTemp(filepath.Dir(path), "new-")
	if err != nil {
		return
	}
	_, err = f.Write(b)
	if closed := f.Close(); err != nil || closed != nil || os.Rename(f.Name(), path) != nil {
		_ = os.Remove(f.Name()) // nothing depends on it
	}
}
