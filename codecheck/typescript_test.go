package codecheck_test

import (
	"testing"

	"github.com/verifyd/verifyd/codecheck"
)

func TestTypeScript(t *testing.T) {
	if _, err := runner(t).Toolchain("typescript"); err != nil {
		t.Skip(err)
	}
	const head = "import * as assert from 'assert';\n"
	tests := []struct {
		name, answer, tests string
		want                codecheck.Status
	}{
		{"a right function", "function add(a: number, b: number): number { return a + b }", head + "const got: number = add(1, 2);\nassert.deepEqual(got, 3);", codecheck.Passed},
		{"a wrong one", "const add = (a: number, b: number) => a - b;", head + "assert.deepEqual(add(1, 2), 3);", codecheck.TestsFailed},
		{"an exported constant", "export const add = (a: number, b: number): number => a + b;", head + "assert.equal(add(1, 2), 3);", codecheck.Passed},
		{"an import of the program", "export interface P { x: number }\nexport class A<T> { constructor(private v: T) {} get(): T { return this.v } }", head + "import { A, P } from './solution';\nconst p: P = { x: 1 };\nassert.equal(new A<P>(p).get().x, 1);", codecheck.Passed},
		{"enums and generics", "enum E { A = 1, B }\nfunction f<T>(x: T): T[] { return [x] }", head + "assert.equal(E.B, 2); assert.deepEqual(f<number>(1), [1])", codecheck.Passed},
		{"type errors do not count", "function f(x: number): string { return x }", head + "assert.equal(f(1), 1)", codecheck.Passed},
		{"an exit", "process.exit(0)", head + "assert.equal(f(1), 1)", codecheck.EarlyExit},
		{"tests that hold nothing", "function f() {}", head + "const x: number = 1;", codecheck.NoTests},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			rep := check(t, codecheck.Task{Language: "typescript", Answer: tt.answer, Tests: asserts(t, tt.tests)})
			if rep.Status != tt.want || rep.Integrity != codecheck.Split {
				t.Errorf("got %s, %s (%s); want %s", rep.Status, rep.Integrity, rep.Reason, tt.want)
			}
		})
	}
	rep := check(t, codecheck.Task{Language: "typescript", Answer: "const f = (x: number): number[] => [x];", Tests: parse(t, `{"format": "fn_call", "fn_name": "f", "inputs": [[1], [2]], "outputs": [[1], [2]]}`)})
	if rep.Status != codecheck.Passed || rep.Integrity != codecheck.Engine {
		t.Errorf("function cases: got %s, %s (%s)", rep.Status, rep.Integrity, rep.Reason)
	}
}
