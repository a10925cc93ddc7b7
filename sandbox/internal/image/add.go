package image

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"
)

// Add checks and unpacks an image from a file or folder and gives it a name, which has no digest, or one that must be the image's. move
// lets a name that stands for another image stand for this one from now on. Nothing is left where it fails.
func (s Store) Add(ctx context.Context, name, from string, move bool) (Image, error) {
	i, err := s.add(ctx, name, from, move)
	if err != nil {
		return Image{}, fmt.Errorf("image %s from %s: %w", name, from, err)
	}
	return i, nil
}

func (s Store) add(ctx context.Context, text, from string, move bool) (Image, error) {
	if s.Dir == "" {
		return Image{}, errors.New("no folder for images is named")
	}
	name, err := ParseName(text)
	if err != nil {
		return Image{}, err
	}
	if name.Repository == "" {
		return Image{}, errors.New("a digest alone is no name to give")
	}
	if name.Tag == "" {
		name.Tag = "latest"
	}
	if err := os.MkdirAll(filepath.Join(s.Dir, "trees"), 0o755); err != nil {
		return Image{}, err
	}
	draft, err := os.MkdirTemp(s.Dir, "draft-")
	if err != nil {
		return Image{}, err
	}
	defer func() { _ = os.RemoveAll(draft) }() // moved away where all went well
	src, err := open(from, filepath.Join(draft, "layout"))
	if err != nil {
		return Image{}, err
	}
	i := Image{Name: name.Repository + ":" + name.Tag, Digest: src.digest, ID: src.id, Added: time.Now().UTC().Truncate(time.Second), Env: src.env}
	if name.Digest != "" && name.Digest != i.Digest && name.Digest != i.ID {
		return Image{}, fmt.Errorf("it is %s: %w", i.Digest, ErrMoved)
	}
	if have, err := s.Find(i.Name); err == nil && have.Digest != i.Digest && !move {
		return Image{}, moved(i.Name, have.Digest, i.Digest)
	}
	tree := filepath.Join(draft, "tree")
	if i.Size, err = unpack(ctx, src.layers, tree); err != nil {
		return Image{}, err
	}
	if err := place(tree, s.tree(i.Digest)); err != nil {
		return Image{}, err
	}
	return i, s.put(i, move)
}

// place moves a checked tree to its name. One that is there already was checked by the same digest.
func place(tree, at string) error {
	err := os.Rename(tree, at)
	if err == nil {
		return nil
	}
	if st, gone := os.Lstat(at); gone == nil && st.IsDir() {
		return nil
	}
	return err
}
