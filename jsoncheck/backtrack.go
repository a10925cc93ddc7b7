package jsoncheck

import "errors"

// errBacktrack marks a pattern that Go's engine cannot hold.
var errBacktrack = errors.New("look-around and back-references are not supported")
