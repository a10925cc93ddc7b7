package oci

import (
	"github.com/verifyd/verifyd/sandbox/internal/image"
)

// Store is a folder of unpacked images, for Config.Images. It reads OCI layouts and archives of docker save, checks every hash on
// the way, and never pulls.
type Store = image.Store

// Image is one image of a Store.
type Image = image.Image

// Errors that a Store's methods wrap.
var (
	ErrMoved = image.ErrMoved // a name stands for another image than it did
	ErrNone  = image.ErrNone  // there is no such image
)
