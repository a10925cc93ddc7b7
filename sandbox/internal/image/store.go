package image

import "fmt"

type Store struct{ Dir string }

func (s Store) Tree(name string) (string, error) { return "", fmt.Errorf("image %q: none here", name) }
