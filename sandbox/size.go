package sandbox

import (
	"fmt"
	"strconv"
	"strings"
)

// Size is a number of bytes.
type Size int64

// Binary units.
const (
	KiB Size = 1 << 10
	MiB Size = 1 << 20
	GiB Size = 1 << 30
)

var sizeUnits = []struct {
	suffix string
	size   Size
}{{"KiB", KiB}, {"MiB", MiB}, {"GiB", GiB}, {"kB", 1000}, {"KB", 1000}, {"MB", 1000_000}, {"GB", 1000_000_000}, {"B", 1}}

// ParseSize reads "512MiB", "64KiB", "1GiB", "10MB" or a bare number of bytes. Negative and overflowing sizes are errors.
func ParseSize(s string) (Size, error) {
	num, unit := strings.TrimSpace(s), Size(1)
	for _, u := range sizeUnits {
		if rest, ok := strings.CutSuffix(num, u.suffix); ok {
			num, unit = strings.TrimSpace(rest), u.size
			break
		}
	}
	n, err := strconv.ParseInt(num, 10, 64)
	if err != nil || n < 0 || n > int64(1<<62)/int64(unit) {
		return 0, fmt.Errorf("size %q: want a number of bytes such as 512MiB, 64KiB or 1048576", s)
	}
	return Size(n) * unit, nil
}

// String writes a size in the largest binary unit that divides it.
func (s Size) String() string {
	for _, u := range []struct {
		name string
		size Size
	}{{"GiB", GiB}, {"MiB", MiB}, {"KiB", KiB}} {
		if s != 0 && s%u.size == 0 {
			return strconv.FormatInt(int64(s/u.size), 10) + u.name
		}
	}
	return strconv.FormatInt(int64(s), 10) + "B"
}
