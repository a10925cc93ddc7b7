package codecheck_test

import (
	"encoding/json"
	"errors"
	"testing"

	"github.com/verifyd/verifyd/codecheck"
)

// node skips a test where the language cannot be served.
func node(t *testing.T) {
	t.Helper()
	if _, err := runner(t).Toolchain("javascript"); err != nil {
		t.Skip(err)
	}
}

func asserts(t *testing.T, code string) codecheck.Tests {
	t.Helper()
	text, err := json.Marshal(map[string]string{"format": "asserts", "code": code})
	if err != nil {
		t.Fatal(err)
	}
	return parse(t, string(text))
}

const jsAssert = "const assert = require('node:assert');\n"

func TestJavaScriptAsserts(t *testing.T) {
	node(t)
	tests := []struct {
		name, answer, tests string
		want                codecheck.Status
	}{
		{"a right function", "function add(a, b) { return a + b; }", jsAssert + "assert.strictEqual(add(2, 3), 5);", codecheck.Passed},
		{"a wrong one", "const add = (a, b) => a - b;", jsAssert + "assert.strictEqual(add(2, 3), 5);", codecheck.TestsFailed},
		{"console.assert throws", "const add = (a, b) => a - b;", "console.assert(add(2, 3) === 5);", codecheck.TestsFailed},
		{"assert is there without asking", "const add = (a, b) => a + b;", "assert.equal(add(2, 3), 5)", codecheck.Passed},
		{"a test function that is called", "const add = (a, b) => a - b;", "const testAdd = () => { console.assert(add(1, 1) === 2) }\ntestAdd()", codecheck.TestsFailed},
		{"a test function that nobody calls", "const add = (a, b) => a - b;", "function testAdd() { console.assert(add(1, 1) === 2) }", codecheck.TestsFailed},
		{"a thrown error is a test's no", "const add = (a, b) => a - b;", "if (add(1, 1) !== 2) throw new Error('no');", codecheck.TestsFailed},
		{"an exit code too", "const add = (a, b) => a - b;", "if (add(1, 1) !== 2) process.exit(1);", codecheck.TestsFailed},
		{"and one that is only set", "const add = (a, b) => a - b;", "if (add(1, 1) !== 2) process.exitCode = 1;", codecheck.TestsFailed},
		{"a missing function", "function sum() {}", "console.assert(add(1, 1) === 2)", codecheck.RuntimeError},
		{"no syntax", "function add(", "console.assert(add(1, 1) === 2)", codecheck.SyntaxError},
		{"tests without syntax", "function add() {}", "console.assert(add(1, 1) === ", codecheck.BrokenTests},
		{"tests that hold nothing", "function add() {}", "// nothing\nconst x = 1;", codecheck.NoTests},
		{"a module that is not there", "function add() { return 2 }", "const _ = require('lodash'); console.assert(add(1, 1) === 2)", codecheck.MissingDependency},
		{"what is exported", "exports.add = (a, b) => a + b;", jsAssert + "const { add } = require('./solution');\nassert.equal(add(1, 1), 2);", codecheck.Passed},
		{"a class that is exported whole", "module.exports = class { get one() { return 1 } };", jsAssert + "const C = require('../solution.js');\nassert.equal(new C().one, 1);", codecheck.Passed},
		{"a module of ECMAScript", "export default function add(a, b) { return a + b }\nexport const one = 1;", "import assert from 'node:assert';\nimport add, { one as first } from './solution.js';\nassert.equal(add(first, 1), 2);", codecheck.Passed},
		{"the names of one that exports", "export function add(a, b) { return a + b }", jsAssert + "assert.equal(add(1, 1), 2)", codecheck.Passed},
		{"nothing is exported and all is asked for", "function add(a, b) { return a + b }", jsAssert + "const { add } = require('./solution');\nassert.equal(add(1, 1), 2)", codecheck.Passed},
		{"the same name on both sides", "const assert = require('assert'); const lines = []; function add(a, b) { return a + b }", jsAssert + "const lines = [1];\nassert.equal(add(1, 1), 2)", codecheck.Passed},
		{"values of every kind", "const id = (x) => x; const all = () => [NaN, -0, undefined, null, 2n ** 80n, new Map([[1, { a: [] }]]), new Set(['x']), new Date(5), /a\\/b/gi, new Uint8Array([1]), new Float64Array([0.5]), Buffer.from('é'), [1, , 3], Symbol.for('q'), new Number(1), Object.create(null), '\\ud800']", jsAssert + "const want = [NaN, -0, undefined, null, 2n ** 80n, new Map([[1, { a: [] }]]), new Set(['x']), new Date(5), /a\\/b/gi, new Uint8Array([1]), new Float64Array([0.5]), Buffer.from('é'), [1, , 3], Symbol.for('q'), new Number(1), Object.create(null), '\\ud800'];\nassert.deepStrictEqual(all(), want);\nassert.deepStrictEqual(id(want), want);", codecheck.Passed},
		{"undefined is not null", "const f = () => undefined;", jsAssert + "assert.strictEqual(f(), null)", codecheck.TestsFailed},
		{"minus zero is not zero", "const f = () => -0;", jsAssert + "assert.strictEqual(f(), 0)", codecheck.TestsFailed},
		{"a hole is not undefined", "const f = () => [,];", jsAssert + "assert.deepStrictEqual(f(), [undefined])", codecheck.TestsFailed},
		{"a key named __proto__", "const f = () => JSON.parse('{\"__proto__\": {\"x\": 1}}');", jsAssert + "assert.strictEqual(f().x, undefined);\nassert.deepStrictEqual(Object.keys(f()), ['__proto__'])", codecheck.Passed},
		{"cycles", "const f = () => { const a = [1]; a.push(a); return a };", jsAssert + "const v = f();\nassert.strictEqual(v[1], v);", codecheck.Passed},
		{"frozen objects", "const f = () => Object.freeze({ a: 1 });", jsAssert + "assert(Object.isFrozen(f()))", codecheck.Passed},
		{"an argument that is changed", "const sort = (a) => { a.sort((x, y) => x - y) };", jsAssert + "const a = [3, 1, 2];\nsort(a);\nassert.deepEqual(a, [1, 2, 3])", codecheck.Passed},
		{"deep inside of an argument", "const f = (o) => { o.list[0].n++; o.map.set('k', 1); delete o.gone };", jsAssert + "const inner = { n: 1 }, o = { list: [inner], map: new Map(), gone: 1 };\nf(o);\nassert.strictEqual(inner.n, 2); assert.equal(o.map.get('k'), 1); assert(!('gone' in o))", codecheck.Passed},
		{"an argument that comes back", "const f = (o) => { o.x = 1; return o };", jsAssert + "const o = {};\nassert.strictEqual(f(o), o); assert.equal(o.x, 1)", codecheck.Passed},
		{"bytes that are changed", "const f = (b) => { b[0] = 9 };", jsAssert + "const b = new Uint8Array(3); f(b); assert.equal(b[0], 9)", codecheck.Passed},
		{"state behind a function", "let n = 0; const next = () => ++n;", jsAssert + "next(); assert.equal(next(), 2); assert.equal(n, 2)", codecheck.Passed},
		{"classes, getters, statics and chains", "class Stack { #a = []; static of(...x) { return x.reduce((s, v) => s.push(v), new Stack()) } push(x) { this.#a.push(x); return this } get size() { return this.#a.length } [Symbol.iterator]() { return this.#a[Symbol.iterator]() } }", jsAssert + "const s = Stack.of(1, 2);\nassert(s instanceof Stack); assert.equal(s.push(3).size, 3); assert.deepEqual([...s], [1, 2, 3]); assert.equal(s.constructor.name, 'Stack');\nassert.throws(() => Stack())", codecheck.Passed},
		{"properties of an object", "class P { constructor() { this.x = 1; this.list = [] } }", jsAssert + "const p = new P(); p.x++; p.list.push(4); assert.equal(p.x, 2); assert.deepEqual(p.list, [4]); assert('x' in p); delete p.x; assert.deepEqual(Object.keys(p), ['list']); assert.deepEqual({ ...p }, { list: [4] })", codecheck.Passed},
		{"an object of a class against a plain one", "class P { constructor() { this.x = 1 } } const f = () => new P();", jsAssert + "assert.deepEqual(f(), { x: 1 });\nassert.notDeepStrictEqual(f(), { x: 1 });", codecheck.Passed},
		{"a subclass of Map", "class M extends Map { twice(k) { return 2 * this.get(k) } }", jsAssert + "const m = new M([['a', 2]]); assert.equal(m.twice('a'), 4); assert.equal(m.get('a'), 2); assert.equal(m.size, 1); assert.deepEqual([...m.keys()], ['a'])", codecheck.Passed},
		{"closures as objects", "const counter = () => { let n = 0; return { inc() { return ++n }, get value() { return n } } };", jsAssert + "const c = counter(); c.inc(); c.inc(); assert.equal(c.value, 2)", codecheck.Passed},
		{"generators, lazily", "let made = 0; function* naturals() { for (let i = 0; ; i++) { made++; yield i } }", jsAssert + "const got = []; for (const n of naturals()) { if (n > 3) break; got.push(n) }\nassert.deepEqual(got, [0, 1, 2, 3]); assert.equal(made, 5)", codecheck.Passed},
		{"callbacks", "const each = (list, f) => list.map((x, i) => f(x, i));", jsAssert + "const seen = []; assert.deepEqual(each([5, 6], (x, i) => { seen.push(i); return x * 2 }), [10, 12]); assert.deepEqual(seen, [0, 1])", codecheck.Passed},
		{"a callback that throws", "const run = (f) => { try { f() } catch (e) { return e } };", jsAssert + "const e = new TypeError('x'); class Own extends Error {}\nassert.strictEqual(run(() => { throw e }).message, 'x');\nconst own = new Own('y'); assert.strictEqual(run(() => { throw own }), own)", codecheck.Passed},
		{"functions that make functions", "const curry = (f) => (a) => (b) => f(a, b);", jsAssert + "assert.equal(curry((a, b) => a - b)(5)(3), 2)", codecheck.Passed},
		{"this", "function name() { return this.n }", jsAssert + "assert.equal(name.call({ n: 4 }), 4); assert.equal(name.bind({ n: 5 })(), 5)", codecheck.Passed},
		{"errors by class", "class Own extends RangeError { constructor(m, code) { super(m); this.name = 'Own'; this.code = code } }\nconst f = () => { throw new Own('far', 7) }, g = () => { throw new TypeError('bad') };", jsAssert + "assert.throws(f, Own); assert.throws(f, RangeError); assert.throws(f, /far/); assert.throws(f, { name: 'Own', code: 7, message: 'far' }); assert.throws(g, TypeError); assert.throws(g, { name: 'TypeError', message: 'bad' });\nassert.throws(() => assert.throws(g, RangeError))", codecheck.Passed},
		{"an exception that was not asked for", "const f = () => { throw new TypeError('bad') };", jsAssert + "assert.equal(f(), 1)", codecheck.RuntimeError},
		{"promises", "const f = async (x) => { await null; if (x < 0) throw new RangeError('neg'); return x * 2 };", jsAssert + "assert.equal(await f(2), 4);\nawait assert.rejects(f(-1), RangeError);\nassert.deepEqual(await Promise.all([f(1), f(2)]), [2, 4])", codecheck.Passed},
		{"a promise that fails", "const f = async () => 3;", jsAssert + "(async () => { assert.equal(await f(), 4) })()", codecheck.TestsFailed},
		{"a promise that nobody waits for", "const f = async () => 3;", jsAssert + "async function main() { assert.equal(await f(), 4) }\nmain();", codecheck.TestsFailed},
		{"one in a chain", "const f = async () => 3;", jsAssert + "f().then((v) => assert.equal(v, 4));", codecheck.TestsFailed},
		{"a promise that never settles", "const f = () => new Promise(() => {});", jsAssert + "assert.equal(await f(), 4)", codecheck.TestsFailed},
		{"timers", "const sleep = (ms, v) => new Promise((r) => setTimeout(r, ms, v));", jsAssert + "assert.equal(await sleep(20, 'x'), 'x')", codecheck.Passed},
		{"timers on both sides", "const debounce = (f, ms) => { let t; return (...a) => { clearTimeout(t); t = setTimeout(f, ms, ...a) } };", jsAssert + "const hits = []; const d = debounce((x) => hits.push(x), 10); d(1); d(2);\nawait new Promise((r) => setTimeout(r, 200));\nassert.deepEqual(hits, [2])", codecheck.Passed},
		{"an assertion in a timer", "const f = () => 3;", jsAssert + "setTimeout(() => assert.equal(f(), 4), 5);", codecheck.TestsFailed},
		{"async callbacks", "const mapAsync = async (list, f) => { const out = []; for (const x of list) out.push(await f(x)); return out };", jsAssert + "assert.deepEqual(await mapAsync([1, 2], async (x) => { await new Promise((r) => setTimeout(r, 3)); return x + 1 }), [2, 3])", codecheck.Passed},
		{"async iterators", "async function* f() { yield 1; yield 2 }", jsAssert + "const got = []; for await (const x of f()) got.push(x); assert.deepEqual(got, [1, 2])", codecheck.Passed},
		{"events", "const { EventEmitter } = require('events'); class E extends EventEmitter { go() { this.emit('x', 1) } }", jsAssert + "const e = new E(); let got; e.on('x', (v) => { got = v }); e.go(); assert.equal(got, 1)", codecheck.Passed},
		{"captured output", "const hello = (n) => console.log('hello ' + n);", jsAssert + "const lines = [], log = console.log; console.log = (...a) => lines.push(a.join(' ')); hello('x'); console.log = log; assert.deepEqual(lines, ['hello x'])", codecheck.Passed},
		{"a name that hides a global", "function escape(s) { return '<' + s }", jsAssert + "assert.equal(escape('a'), '<a')", codecheck.Passed},
		{"suites of node:test", "const add = (a, b) => a + b;", "import test, { describe, it, beforeEach } from 'node:test'; import assert from 'node:assert/strict';\nlet n; beforeEach(() => { n = 1 });\ntest('one', async (t) => { await t.test('inner', () => assert.equal(add(n, 1), 2)) });\ndescribe('group', () => { it('two', (t) => { assert.equal(add(n, 1), 2); t.diagnostic('x') }); it('later', (t, done) => { setTimeout(done, 1) }); it.skip('three', () => assert.fail()) });", codecheck.Passed},
		{"one that fails", "const add = (a, b) => a - b;", "const { test } = require('node:test');\ntest('one', async () => { assert.equal(add(1, 1), 2) })", codecheck.TestsFailed},
		{"suites of Jest", "const add = (a, b) => a + b; const f = () => { throw new Error('no way') };", "describe('x', () => { beforeAll(() => {}); test.each([[1, 1, 2], [2, 3, 5]])('%d + %d', (a, b, c) => { expect(add(a, b)).toBe(c) }); it('throws', () => { expect(f).toThrow('no way'); expect(() => f()).toThrow(Error); expect({ a: 1, b: undefined }).toEqual({ a: 1 }); expect([1]).not.toEqual([2]) }) })", codecheck.Passed},
		{"one of Jest that fails", "const add = (a, b) => a - b;", "test('x', () => { expect(add(1, 1)).toBe(2) })", codecheck.TestsFailed},
		{"a program that waits at its top", "const one = await Promise.resolve(1); const f = () => one;", jsAssert + "assert.equal(f(), 1)", codecheck.Passed},
		{"a main part", "const f = () => 1; if (require.main === module) { console.log(f()) }", jsAssert + "assert.equal(f(), 1)", codecheck.Passed},
		{"an interval that is left", "setInterval(() => {}, 1000); const f = () => 1;", jsAssert + "assert.equal(f(), 1)", codecheck.Passed},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			rep := check(t, codecheck.Task{Language: "javascript", Answer: tt.answer, Tests: asserts(t, tt.tests)})
			if rep.Status != tt.want || rep.Integrity != codecheck.Split {
				t.Errorf("got %s, %s (%s) of %d; want %s", rep.Status, rep.Integrity, rep.Reason, rep.Tests.Total, tt.want)
			}
		})
	}
}

// Tests that change what the program stands on are not served by two processes, and there is nothing between that and one.
func TestJavaScriptThatMustShareIsRefused(t *testing.T) {
	node(t)
	const answer = "const f = () => Math.random(); class A { g() { return this.h() } h() { return 1 } }"
	for _, tests := range []string{
		"Math.random = () => 4; console.assert(f() === 4)",
		"class B extends A { h() { return 2 } }\nconsole.assert(new B().g() === 2)",
		"const fs = require('fs'); fs.writeFileSync('x', '1'); console.assert(f() < 1)",
		"Array.prototype.last = function () { return this[this.length - 1] }; console.assert(f() < 1)",
	} {
		task := codecheck.Task{Language: "javascript", Answer: answer, Tests: asserts(t, tests)}
		if _, err := runner(t).Check(t.Context(), task); !errors.Is(err, codecheck.ErrIntegrity) {
			t.Errorf("%s: got %v, want a refusal", tests, err)
		}
		task.Integrity = codecheck.InProcess
		if rep := check(t, task); rep.Status != codecheck.Passed || rep.Integrity != codecheck.InProcess {
			t.Errorf("%s: in one process: %s (%s)", tests, rep.Status, rep.Reason)
		}
	}
}

func TestJavaScriptFunctions(t *testing.T) {
	node(t)
	tests := []struct {
		name, answer, inputs, outputs, more string
		want                                codecheck.Status
	}{
		{"numbers", "const f = (n) => n / 2;", "[[5], [4]]", "[2.5, 2]", "", codecheck.Passed},
		{"there is one kind of them", "const f = (n) => n * 1.0;", "[[5]]", "[5.0]", "", codecheck.Passed},
		{"a text is no number", "const f = (n) => String(n);", "[[5]]", "[5]", "", codecheck.WrongAnswer},
		{"a truth value neither", "const f = () => true;", "[[5]]", "[1]", "", codecheck.WrongAnswer},
		{"lists and objects", "const f = (n) => ({ b: [n, null], a: { c: 'x' }, u: undefined });", "[[5]]", `[{"a": {"c": "x"}, "b": [5, null]}]`, "", codecheck.Passed},
		{"nothing is null", "function f() {}", "[[5]]", "[null]", "", codecheck.Passed},
		{"a large integer", "const f = (n) => 10n ** 30n;", "[[5]]", "[1000000000000000000000000000000]", "", codecheck.Passed},
		{"what JSON has not", "const f = () => new Map();", "[[5]]", "[{}]", "", codecheck.WrongAnswer},
		{"a method", "class S { constructor() { this.n = 0 } f(x) { return this.n += x } }", "[[5], [5]]", "[5, 5]", `"class": "S"`, codecheck.Passed},
		{"state does not travel", "const seen = []; const f = (x) => seen.push(x);", "[[5], [5]]", "[1, 1]", "", codecheck.Passed},
		{"promises", "const f = async (x) => { await new Promise((r) => setTimeout(r, 2)); return x };", "[[5], [6]]", "[5, 6]", "", codecheck.Passed},
		{"a promise that never settles", "const f = () => new Promise(() => {});", "[[5]]", "[5]", "", codecheck.RuntimeError},
		{"an exception", "const f = (x) => x.y.z;", "[[5]]", "[5]", "", codecheck.RuntimeError},
		{"an exported one", "export const f = (x) => x;", "[[5]]", "[5]", "", codecheck.Passed},
		{"an exit", "const f = (x) => process.exit(0);", "[[5]]", "[5]", "", codecheck.EarlyExit},
		{"no such function", "const g = 1;", "[[5]]", "[5]", "", codecheck.RuntimeError},
		{"a value that lies to JSON", "const f = () => ({ toJSON() { return 5 } });", "[[5]]", "[5]", "", codecheck.WrongAnswer},
		{"JSON replaced", "JSON.stringify = () => '5'; const f = () => 6;", "[[5]]", "[5]", "", codecheck.WrongAnswer},
		{"many cases", "const f = (x) => x;", "[[1], [2], [3], [4], [5], [6], [7], [8], [9], [10]]", "[1, 2, 3, 4, 5, 6, 7, 8, 9, 10]", "", codecheck.Passed},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if tt.more != "" {
				tt.more = ", " + tt.more
			}
			suite := `{"format": "fn_call", "fn_name": "f", "inputs": ` + tt.inputs + `, "outputs": ` + tt.outputs + tt.more + `}`
			rep := check(t, codecheck.Task{Language: "javascript", Answer: tt.answer, Tests: parse(t, suite)})
			if rep.Status != tt.want || rep.Integrity != codecheck.Engine {
				t.Errorf("got %s (%s), want %s", rep.Status, rep.Reason, tt.want)
			}
		})
	}
}

// A program cannot tell a child of a warm server from a process of its own by what programs look at.
func TestJavaScriptWarmAndColdAlike(t *testing.T) {
	node(t)
	tests := []struct {
		name, program, input, output string
		want                         codecheck.Status
	}{
		{"the main module", "console.log(require.main === module, __filename, process.argv.length, process.argv[1], process.execArgv)", "", "true /work/main.js 2 /work/main.js []\n", codecheck.Passed},
		{"environment and folder", "console.log(process.env.PATH, process.env.LD_PRELOAD, process.cwd(), require('fs').readdirSync('/work'))", "", "/usr/local/bin:/usr/bin:/bin undefined /work [ 'main.js' ]\n", codecheck.Passed},
		{"the number of the process", "console.log(process.pid === Number(require('fs').readlinkSync('/proc/self')))", "", "true\n", codecheck.Passed},
		{"input at once", "console.log(require('fs').readFileSync(0, 'utf8').length)", "hello\n", "6\n", codecheck.Passed},
		{"input in events", "let t = ''; process.stdin.on('data', (d) => { t += d }).on('end', () => console.log(t.trim()))", "a\nb\n", "a\nb\n", codecheck.Passed},
		{"input by lines", "const rl = require('readline').createInterface({ input: process.stdin }); let n = 0; rl.on('line', (l) => { n += Number(l) }).on('close', () => console.log(n))", "1\n2\n3", "6\n", codecheck.Passed},
		{"input waited for", "(async () => { let n = 0; for await (const l of require('readline').createInterface({ input: process.stdin })) n += Number(l); console.log(n) })()", "1\n2\n", "3\n", codecheck.Passed},
		{"timers and promises", "setTimeout(() => console.log(3), 5); Promise.resolve().then(() => console.log(2)); console.log(1)", "", "1\n2\n3\n", codecheck.Passed},
		{"an exit code", "console.log(1); process.exit(3)", "", "1\n", codecheck.RuntimeError},
		{"an exit code for later", "process.exitCode = 2; console.log(1)", "", "1\n", codecheck.RuntimeError},
		{"handlers of the end", "process.on('exit', (c) => console.log('end', c)); console.log(1)", "", "1\nend 0\n", codecheck.Passed},
		{"an exception", "console.log(1); null.x", "", "1\n", codecheck.RuntimeError},
		{"a rejection", "Promise.reject(new Error('x'))", "", "", codecheck.RuntimeError},
		{"no syntax", "console.log(", "", "", codecheck.RuntimeError},
		{"children", "console.log(require('child_process').execFileSync('/bin/echo', ['hi'], { encoding: 'utf8' }).trim()); require('child_process').spawn('/bin/true').on('exit', (c) => console.log(c))", "", "hi\n0\n", codecheck.Passed},
		{"threads", "const { Worker } = require('worker_threads'); new Worker(\"require('worker_threads').parentPort.postMessage(7)\", { eval: true }).on('message', (m) => console.log(m))", "", "7\n", codecheck.Passed},
		{"signals", "process.on('SIGUSR2', () => { console.log('got it'); clearInterval(i) }); const i = setInterval(() => {}, 50); process.kill(process.pid, 'SIGUSR2')", "", "got it\n", codecheck.Passed},
		{"files, as promises", "const fs = require('fs/promises'); fs.writeFile('x', 'y').then(() => fs.readFile('x', 'utf8')).then(console.log)", "", "y\n", codecheck.Passed},
		{"WebAssembly", "WebAssembly.compile(new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0])).then((m) => console.log(m instanceof WebAssembly.Module))", "", "true\n", codecheck.Passed},
		{"a hot loop", "let s = 0; for (let i = 0; i < 3e7; i++) s = (s + i * i) % 1000003; console.log(s)", "", "752938\n", codecheck.Passed},
		{"much memory", "const a = []; for (let i = 0; i < 2e6; i++) a.push({ i }); console.log(a.length)", "", "2000000\n", codecheck.Passed},
		{"random bytes", "const c = require('crypto'); console.log(c.randomBytes(8).length, c.createHash('md5').update('x').digest('hex').slice(0, 4))", "", "8 9dd4\n", codecheck.Passed},
		{"depth of the stack", "const f = (n) => { try { return f(n + 1) } catch { return n } }; console.log(f(0) > 5000, f(0) < 50000)", "", "true true\n", codecheck.Passed},
	}
	for _, tt := range tests {
		for _, cold := range []bool{false, true} {
			t.Run(tt.name+map[bool]string{false: "/warm", true: "/cold"}[cold], func(t *testing.T) {
				t.Parallel()
				suite, err := json.Marshal(map[string]any{"format": "stdin_stdout", "inputs": []string{tt.input}, "outputs": []string{tt.output}})
				if err != nil {
					t.Fatal(err)
				}
				rep := check(t, codecheck.Task{Language: "javascript", Answer: "```js\n" + tt.program + "\n```", Tests: parse(t, string(suite)), Cold: cold})
				if rep.Status != tt.want {
					t.Errorf("got %s (%s), want %s", rep.Status, rep.Reason, tt.want)
				}
			})
		}
	}
}
