package main

import (
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/verifyd/verifyd/sandbox"
)

// The values of flags. Their faults stand behind the flag's name: invalid argument "5" for "--wall" flag: …

// errZero: a limit of nothing lets nothing run, and a flag that is left out is the default.
var errZero = errors.New("want more than 0; leave the flag out for the default")

// durationFlag is a time with its unit, at least least.
type durationFlag struct {
	value *time.Duration
	least time.Duration
	zero  bool // 0 is allowed, and means the default
}

func (d *durationFlag) Set(text string) error {
	v, err := time.ParseDuration(text)
	switch _, bare := strconv.ParseFloat(text, 64); {
	case text == "0" || err == nil && v == 0:
		if !d.zero {
			return errZero
		}
	case err != nil && bare == nil:
		return fmt.Errorf("want a time with its unit, such as %ss", text)
	case err != nil:
		return errors.New("want a time with its unit, such as 5s, 300ms or 2m")
	case v < 0:
		return errors.New("a time must not be negative")
	case v < d.least:
		return fmt.Errorf("want at least %v", d.least)
	}
	*d.value = v
	return nil
}

func (d *durationFlag) String() string {
	if d.value == nil || *d.value == 0 {
		return ""
	}
	return d.value.String()
}

func (d *durationFlag) Type() string { return "TIME" }

// countFlag is a whole number.
type countFlag struct {
	value       *int
	least, most int
}

func (c *countFlag) Set(text string) error {
	n, err := strconv.Atoi(text)
	switch {
	case err != nil:
		return errors.New("want a whole number")
	case n == 0 && c.least > 0:
		return errZero
	case n < 0:
		return errors.New("a count must not be negative")
	case n < c.least || n > c.most:
		return fmt.Errorf("want %d to %d", c.least, c.most)
	}
	*c.value = n
	return nil
}

func (c *countFlag) String() string {
	if c.value == nil || *c.value == 0 {
		return ""
	}
	return strconv.Itoa(*c.value)
}

func (c *countFlag) Type() string { return "N" }

// sizeFlag reads 64MiB and the like.
type sizeFlag sandbox.Size

func (s *sizeFlag) Set(text string) error {
	size, err := sandbox.ParseSize(text)
	switch {
	case err != nil:
		return errors.New("want a number of bytes, such as 512MiB, 64KiB or 1048576")
	case size == 0:
		return errZero
	}
	*s = sizeFlag(size)
	return nil
}

func (s *sizeFlag) String() string {
	if *s == 0 {
		return ""
	}
	return sandbox.Size(*s).String()
}

func (s *sizeFlag) Type() string { return "SIZE" }
