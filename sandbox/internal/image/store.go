package image

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// Store is a folder of unpacked images. The zero value has none. Methods may be used by several processes at once; of two that add
// an image at the same time one may have to be asked again.
type Store struct {
	Dir string
}

// Image is one image of a store.
type Image struct {
	Name   string    `json:"name"`   // repository and tag
	Digest string    `json:"digest"` // of its manifest; of its configuration where it came by docker save
	ID     string    `json:"id"`     // digest of its configuration, which Docker calls the image's id
	Size   int64     `json:"size"`   // bytes, unpacked
	Added  time.Time `json:"added"`
	Env    []string  `json:"env,omitempty"` // what the image wants its programs to have
}

// ErrMoved is wrapped where a name stands for another image than it did.
var ErrMoved = errors.New("the name stands for another image")

// ErrNone is wrapped where a store has no such image.
var ErrNone = errors.New("no such image here")

const indexName = "images.json"

// List gives the images by name.
func (s Store) List() ([]Image, error) {
	if s.Dir == "" {
		return nil, nil
	}
	text, err := os.ReadFile(filepath.Join(s.Dir, indexName))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var all []Image
	if err := json.Unmarshal(text, &all); err != nil {
		return nil, fmt.Errorf("%s: %w", filepath.Join(s.Dir, indexName), err)
	}
	for _, i := range all {
		if !digestForm.MatchString(i.Digest) || !digestForm.MatchString(i.ID) {
			return nil, fmt.Errorf("%s: image %.80q has no digest", filepath.Join(s.Dir, indexName), i.Name)
		}
	}
	return all, nil
}

// Find looks an image up. Its error wraps ErrNone or ErrMoved, or says what is wrong with the name.
func (s Store) Find(name string) (Image, error) {
	n, err := ParseName(name)
	if err != nil {
		return Image{}, err
	}
	all, err := s.List()
	if err != nil {
		return Image{}, err
	}
	for _, i := range all {
		same := n.Repository == "" || i.Name == n.Repository+":"+n.Tag || n.Tag == "" && strings.HasPrefix(i.Name, n.Repository+":")
		pinned := n.Digest == "" || n.Digest == i.Digest || n.Digest == i.ID
		if same && pinned {
			return i, nil
		}
		if same && n.Tag != "" {
			return Image{}, fmt.Errorf("image %s: it is %s here: %w", name, i.Digest, ErrMoved)
		}
	}
	return Image{}, fmt.Errorf("image %s: %w", name, ErrNone)
}

// Tree is the folder of an image's files. It is never to be written to.
func (s Store) Tree(name string) (string, error) {
	i, err := s.Find(name)
	if err != nil {
		return "", err
	}
	tree := s.tree(i.Digest)
	if st, err := os.Lstat(tree); err != nil || !st.IsDir() {
		return "", fmt.Errorf("image %s: its files are gone from %s: %w", name, tree, ErrNone)
	}
	return tree, nil
}

func (s Store) tree(digest string) string {
	return filepath.Join(s.Dir, "trees", strings.ReplaceAll(digest, ":", "-"))
}

// put enters an image into the index.
func (s Store) put(i Image, move bool) error {
	all, err := s.List()
	if err != nil {
		return err
	}
	at := slices.IndexFunc(all, func(have Image) bool { return have.Name == i.Name })
	switch {
	case at < 0:
		all = append(all, i)
	case all[at].Digest != i.Digest && !move:
		return moved(i.Name, all[at].Digest, i.Digest)
	default:
		all[at] = i
	}
	slices.SortFunc(all, func(a, b Image) int { return strings.Compare(a.Name, b.Name) })
	text, err := json.MarshalIndent(all, "", "  ")
	if err != nil {
		return err
	}
	draft, err := os.CreateTemp(s.Dir, indexName+".*")
	if err != nil {
		return err
	}
	_, err = draft.Write(append(text, '\n'))
	if err = errors.Join(err, draft.Chmod(0o644), draft.Close()); err == nil {
		err = os.Rename(draft.Name(), filepath.Join(s.Dir, indexName))
	}
	if err != nil {
		_ = os.Remove(draft.Name()) // a draft
	}
	return err
}

func moved(name, have, want string) error {
	return fmt.Errorf("image %s is %s here, and what was given is %s: %w", name, have, want, ErrMoved)
}
