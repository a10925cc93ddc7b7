package codecheck

import (
	"slices"

	"github.com/verifyd/verifyd/sandbox"
)

// role is whom a warm server serves. Programs and tests never fork from the same one: what a server has in memory, every
// child of it can read.
type role string

const (
	candidateSide role = "candidate" // programs alone
	testerSide    role = "tester"    // tests, alone or with the program that they share an interpreter with
)

// frozenName is the harness's file in a server's folder.
const frozenName = "harness"

// servers describes the fork servers of a harness (harness/python/vd_server.py); none where the sandbox has none. They get the
// harness and nothing else, before and after their start: what a job reads reaches it by its own files and its channel.
func (j *judgement) servers(code []byte) map[role]*sandbox.Server {
	if j.r.caps.Warm && j.r.caps.Snapshots {
		return j.snapshots(code)
	}
	if !j.r.caps.Warm || !j.kit().forks {
		return nil
	}
	m := map[role]*sandbox.Server{}
	for _, side := range []role{candidateSide, testerSide} {
		m[side] = &sandbox.Server{
			Args:  slices.Concat(j.harnessLine(), []string{sandbox.ServerDir + "/" + frozenName, "vd_server", string(side)}, j.lang.Preload),
			Env:   append(j.spec(nil).Env, "LD_BIND_NOW=1"), // else each child looks up the functions that it calls first: 25 pages
			Files: []sandbox.File{{Name: frozenName, Data: code, ReadOnly: true}},
		}
	}
	return m
}
