package image

import (
	"fmt"
	"regexp"
	"strings"
)

// Name is the name of an image: a repository, perhaps a tag, perhaps a digest. A digest alone is a name, too.
type Name struct {
	Repository, Tag string // Tag is "latest" where neither a tag nor a digest was given
	Digest          string // sha256:…; empty where none was given
}

// The grammar of the distribution specification, without host names: nothing is ever pulled. A name begins with a letter or a
// digit, so it can be taken neither for an option of a program nor for a path.
var (
	nameForm   = regexp.MustCompile(`^[a-z0-9]+(?:(?:\.|_|__|-+)[a-z0-9]+)*(?:/[a-z0-9]+(?:(?:\.|_|__|-+)[a-z0-9]+)*)*$`)
	tagForm    = regexp.MustCompile(`^[A-Za-z0-9_][A-Za-z0-9._-]{0,127}$`)
	digestForm = regexp.MustCompile(`^sha256:[0-9a-f]{64}$`)
)

const longestName = 255

// ParseName reads "repository", "repository:tag", "repository@sha256:…", "repository:tag@sha256:…" or "sha256:…".
func ParseName(text string) (Name, error) {
	refuse := func(why string) (Name, error) {
		return Name{}, fmt.Errorf("image name %.80q: %s", text, why)
	}
	if len(text) > longestName+len(":")+128+len("@sha256:")+64 {
		return refuse("too long")
	}
	if digestForm.MatchString(text) {
		return Name{Digest: text}, nil
	}
	rest, digest, pinned := strings.Cut(text, "@")
	if pinned && !digestForm.MatchString(digest) {
		return refuse("behind @ stands sha256: and 64 digits of a hexadecimal number")
	}
	repository, tag, tagged := strings.Cut(rest, ":")
	switch {
	case len(repository) > longestName || !nameForm.MatchString(repository):
		return refuse("a name is made of small letters, digits and single . _ - between them, in parts divided by /")
	case tagged && !tagForm.MatchString(tag):
		return refuse("a tag is made of letters, digits and . _ -")
	case !tagged && !pinned:
		tag = "latest"
	}
	return Name{repository, tag, digest}, nil
}

func (n Name) String() string {
	text := n.Repository
	if n.Tag != "" {
		text += ":" + n.Tag
	}
	if n.Digest != "" {
		text = strings.TrimPrefix(text+"@"+n.Digest, "@")
	}
	return text
}
