package codecheck

// Appended placeholder type follows.
type Appended struct{}

// Framework placeholder.
type Framework struct{}
