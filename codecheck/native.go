package codecheck

import (
	"context"
	"fmt"
	"path"
	"slices"

	"github.com/verifyd/verifyd/sandbox"
)

// Fork servers of an interpreter that cannot fork by itself.
//
// Such an interpreter gets a small library, which is written in C and compiled by the host's compiler behind the same walls. Where
// there is no compiler, or a job of such a server does not come to its end (an interpreter of another version may have changed
// what the library relies on), jobs start interpreters of their own: slower, and otherwise the same.

const (
	nativeName     = "native.so" // in a server's folder
	nativeLanguage = "c"
	trialCode      = 7 // what a kit's trial ends with
)

// nativeServers completes the servers of a harness that has a native part; nil where they cannot be served.
func (j *judgement) nativeServers(ctx context.Context, servers map[role]*sandbox.Server) (map[role]*sandbox.Server, error) {
	k := j.kit()
	if servers == nil || k.native == "" {
		return servers, nil
	}
	library, err := j.library(ctx, k.native)
	if err != nil || library == nil {
		return nil, err
	}
	for _, s := range servers {
		s.Args = slices.Concat(s.Args[:1], k.serves, s.Args[1:])
		s.Env = append(s.Env, "LD_PRELOAD="+sandbox.ServerDir+"/"+nativeName)
		s.Files = append(s.Files, sandbox.File{Name: nativeName, Data: library, Exec: true, ReadOnly: true})
	}
	name := "trial" + k.ending
	spec := j.spec([]string{"vd_script", sandbox.WorkDir + "/" + name})
	spec.Server, spec.Files, spec.Limits = servers[candidateSide], []sandbox.File{{Name: name, Data: []byte(k.trial)}}, sandbox.Limits{}
	res, err := j.r.box.Run(ctx, spec)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err != nil || res.ExitCode != trialCode {
		return nil, nil
	}
	return servers, nil
}

// library compiles the part of a harness that is written in C; nil without an error where that cannot be done here.
func (j *judgement) library(ctx context.Context, name string) ([]byte, error) {
	chain, err := j.r.Toolchain(nativeLanguage)
	if err != nil {
		return nil, nil
	}
	text, err := harnessFiles.ReadFile(path.Join("harness", j.lang.Harness, name))
	if err != nil {
		return nil, fmt.Errorf("codecheck: harness of %s: %w", j.lang.Name, err)
	}
	res, err := j.r.box.Run(ctx, sandbox.Spec{
		Args: []string{chain.Exe, "-O2", "-shared", "-fPIC", "-o", nativeName, name}, Env: []string{"PATH=/usr/local/bin:/usr/bin:/bin"},
		Files: []sandbox.File{{Name: name, Data: text}}, CopyOut: []string{nativeName}, Root: sandbox.Root{Binds: chain.Binds},
	})
	if err != nil {
		return nil, fmt.Errorf("codecheck: compile the harness of %s: %w", j.lang.Name, err)
	}
	if res.Status != sandbox.OK || len(res.Files) != 1 {
		return nil, nil
	}
	return res.Files[0].Data, nil
}
