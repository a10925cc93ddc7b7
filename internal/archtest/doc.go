// Package archtest holds the tests of ARCHITECTURE.md: who may import whom, one room per third-party module, the record of
// the public API, a package comment everywhere, links that lead somewhere, sources for all test data.
//
// layers.txt is the policy. Its lines read `a < b  # reason`: room b may import a, a room or a third-party module. The
// imports are read from the source of every file, whatever its build tags, so a Windows file is held to the same policy.
// Tests may import any room; third-party modules that only tests import are listed as `a < b (tests)`.
//
//	go test ./internal/archtest              # is it kept?
//	go test ./internal/archtest -update      # write down the public API as it is
package archtest
