package jsoncheck

import "github.com/santhosh-tekuri/jsonschema/v6"

// ownFormats replace or add to the library's format checks.
var ownFormats = []*jsonschema.Format{}
