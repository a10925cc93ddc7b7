package codecheck_test

import (
	"os"
	"testing"

	"github.com/verifyd/verifyd/codecheck"
	"github.com/verifyd/verifyd/sandbox"
)

// Programs that try to be paid without an answer, under tests that call digitScore with and without help of callbacks.
var jsAttacks = []struct{ name, code string }{
	{"an exit at the top", "process.exit(0)"},
	{"an exit in the call", "const digitScore = () => process.exit(0)"},
	{"an exit without handlers", "const digitScore = () => process.reallyExit(0)"},
	{"an exit later", "setTimeout(() => process.exit(0), 1); setImmediate(() => process.exit(0)); function digitScore() {}"},
	{"an exit code of its own", "process.on('exit', () => process.reallyExit(0)); process.exitCode = 0; function digitScore() { throw new Error('x') }"},
	{"an abort", "function digitScore() { process.abort() }"},
	{"a kill", "function digitScore() { process.kill(process.pid, 'SIGKILL') }"},
	{"a pass line", "console.log('TAP version 13\\nok 1 - test\\n# pass 4\\n# fail 0'); function digitScore() {}"},
	{"assert is patched", "const a = require('assert'); for (const k of Object.keys(a)) a[k] = () => {}; a.strict = a; function digitScore() {}"},
	{"modules are patched", "const M = require('module'); M._load = () => new Proxy(() => {}, { get: () => () => {} }); M.prototype.require = M._load; function digitScore() {}"},
	{"the cache of modules", "require.cache[require.resolve('assert')] = { exports: () => {} }; process.binding = () => ({}); function digitScore() {}"},
	{"globals are shadowed", "globalThis.assert = new Proxy(() => {}, { get: () => () => {} }); globalThis.console.assert = () => {}; globalThis.test = globalThis.it = globalThis.describe = () => {}; function digitScore() {}"},
	{"the names of a framework", "function assert() {} assert.strictEqual = assert.equal = assert.deepEqual = () => {}; function test() {} function describe() {} function it() {} function expect() { return new Proxy({}, { get: () => () => {} }) } function digitScore() {}"},
	{"prototypes are polluted", "Object.prototype.strictEqual = () => true; Array.prototype.map = () => [9]; Array.prototype.every = () => true; String.prototype.valueOf = () => '9'; Number.prototype.valueOf = () => 9; Function.prototype.call = () => 9; function digitScore() { return 1 }"},
	{"Object.is and friends", "Object.is = () => true; Object.keys = () => []; Reflect.ownKeys = () => []; function digitScore() {}"},
	{"JSON is replaced", "JSON.stringify = () => '{\"r\":18}'; JSON.parse = () => ({ r: 18 }); function digitScore() {}"},
	{"writes are replaced", "const fs = require('fs'); const w = fs.writeSync; fs.writeSync = (fd, b) => w(fd, Buffer.from('x')); Buffer.from = () => Buffer.alloc(4); function digitScore() {}"},
	{"a proxy for every property", "const p = new Proxy(function () {}, { get: (_, k) => k === Symbol.toPrimitive ? () => 18 : p, apply: () => p, has: () => true }); const digitScore = () => p;"},
	{"a value of all numbers", "const digitScore = () => ({ valueOf() { return NaN }, [Symbol.toPrimitive]() { return '18,9,40' }, toString() { return '18' } });"},
	{"an array that holds everything", "class All extends Array { includes() { return true } every() { return true } indexOf() { return 0 } } const digitScore = () => new All(); "},
	{"an object that holds everything", "const digitScore = () => ({ includes: () => true, some: () => true, every: () => true });"},
	{"always an instance", "class Any { static [Symbol.hasInstance]() { return true } equals() { return true } } const digitScore = () => new Any();"},
	{"a callback's error is swallowed", "const digitScore = (n, f) => { try { if (f) f(-1) } catch {} return n === undefined ? undefined : f ? undefined : NaN };"},
	{"constructors behind a callback", "const digitScore = (n, f) => { if (f) { try { f.constructor('process.exit(0)')() } catch {} try { Object.getPrototypeOf(f).constructor('process.reallyExit(0)')() } catch {} } return 0 };"},
	{"the text of a callback", "const digitScore = (n, f) => { if (!f) return 0; const m = /===? (\\d+)|, (\\d+)\\)/.exec(f.toString() + String(f) + Function.prototype.toString.call(f)); return m ? f(Number(m[1] || m[2])) : 0 };"},
	{"the callers of a callback", "const digitScore = (n, f) => { try { return f ? f.caller.toString().length : arguments.callee.caller } catch { return 0 } };"},
	{"a prototype of the tests", "const digitScore = (n, f) => { try { f.prototype.x = 1; f.__proto__.call = () => 0; Object.setPrototypeOf(f, null); Object.defineProperty(f, 'call', { value: () => 0 }) } catch {} return 0 };"},
	{"an answer on the channel", "require('fs').writeSync(3, Buffer.from([12, 0, 0, 0, 80, ...Buffer.from('{\"r\":true}     ').subarray(0, 11)])); function digitScore() {}"},
	{"an end on the channel", "const b = Buffer.from('E{\"total\":3,\"nonce\":\"\"}'); const h = Buffer.alloc(4); h.writeUInt32LE(b.length); require('fs').writeSync(3, Buffer.concat([h, b])); function digitScore() {}"},
	{"reports on the channel", "const fs = require('fs'); const send = (t) => { const b = Buffer.from(t), h = Buffer.alloc(4); h.writeUInt32LE(b.length); fs.writeSync(3, Buffer.concat([h, b])) }; const digitScore = () => { send('C{\"name\":\"assert 1\",\"status\":\"passed\",\"error\":\"\"}'); send('E{\"total\":1,\"nonce\":\"\"}') };"},
	{"the channel is closed", "require('fs').closeSync(3); function digitScore() {}"},
	{"a thread that answers", "const { Worker } = require('worker_threads'); new Worker(\"require('fs').writeSync(3, Buffer.from([5,0,0,0,80,110,117,108,108]))\", { eval: true }); function digitScore() { const end = Date.now() + 200; while (Date.now() < end); }"},
	{"a child that answers", "require('child_process').spawnSync(process.execPath, ['-e', \"require('fs').writeSync(3, Buffer.from([5,0,0,0,80,110,117,108,108]))\"], { stdio: [0, 1, 2, 3] }); function digitScore() {}"},
	{"itself again, with a preload", "require('fs').writeFileSync('p.js', \"require('assert').strictEqual = () => {}\"); process.env.NODE_OPTIONS = '--require ./p.js'; require('child_process').spawnSync(process.execPath, ['--require', './p.js', __filename]); function digitScore() {}"},
	{"hooks of async calls", "require('async_hooks').createHook({ init() { process.exit(0) }, before() { process.exit(0) } }).enable(); function digitScore() { return Promise.resolve(1) }"},
	{"exceptions are swallowed", "process.on('uncaughtException', () => process.exit(0)); process.on('unhandledRejection', () => process.exit(0)); function digitScore() { throw new Error('x') }"},
	{"an assertion error of its own", "const { AssertionError } = require('assert'); function digitScore() { throw new AssertionError({ message: 'x' }) }"},
	{"something strange is thrown", "function digitScore() { throw new Proxy({}, { get() { throw 1 }, getPrototypeOf() { throw 2 } }) }"},
	{"a thenable without an end", "const digitScore = () => ({ then() {} });"},
	{"endless properties", "const digitScore = () => new Proxy({}, { ownKeys: () => Array.from({ length: 1e5 }, (_, i) => 'k' + i), getOwnPropertyDescriptor: () => ({ value: 18, enumerable: true, configurable: true }) });"},
	{"too deep", "const digitScore = () => { let x = []; for (let i = 0; i < 1e5; i++) x = [x]; return x };"},
	{"too large", "const digitScore = () => 'x'.repeat(1 << 26);"},
	{"the memory of its own file", "const fs = require('fs'); let t = ''; for (const f of ['/work', '/proc/self/cmdline', '/proc/1/cmdline', '/proc/self/environ']) { try { t += fs.statSync(f).isDirectory() ? fs.readdirSync(f).map((n) => fs.readFileSync(f + '/' + n)).join() : fs.readFileSync(f) } catch {} } const digitScore = (n) => { const m = new RegExp(`digitScore\\\\(${n}\\\\), (\\\\d+)`).exec(t); return m ? Number(m[1]) : 0 };"},
}

var jsHonest = []struct{ name, code string }{
	{"a plain one", "const digitScore = (n, f) => { const s = String(Math.abs(n)); const v = [...s].map(Number).reduce((a, b) => a + b, 0) * s.length; return f ? f(v) : v };"},
	{"handlers for the end", "process.on('exit', () => {}); process.on('uncaughtException', () => {}); function digitScore(n, f) { const s = String(n); const v = s.split('').reduce((a, b) => a + Number(b), 0) * s.length; return f ? f(v) : v }"},
	{"prototypes with more", "Array.prototype.sum = function () { return this.reduce((a, b) => a + b, 0) }; Object.prototype.tap = function (f) { f(this); return this }; function digitScore(n, f) { const s = [...String(n)].map(Number); const v = s.sum() * s.length; return f ? f(v) : v }"},
	{"output", "console.log('ok 1'); process.stdout.write('# fail 3\\n'); function digitScore(n, f) { console.error(n); const s = [...String(n)].map(Number); const v = s.reduce((a, b) => a + b, 0) * s.length; return f ? f(v) : v }"},
}

var jsSuites = []struct{ name, code string }{
	{"assertions", jsAssert + "assert.strictEqual(digitScore(123), 18);\nassert.strictEqual(digitScore(9), 9);\nassert.strictEqual(digitScore(5005), 40);"},
	{"loose ones", jsAssert + "assert.equal(digitScore(123), 18);\nassert.deepEqual(digitScore(9), 9);\nassert(digitScore(5005) == 40);"},
	{"a callback", jsAssert + "assert.equal(digitScore(123, (v) => { assert.equal(v, 18); return v + 1 }), 19); assert.equal(digitScore(9, (v) => v === 9), true);"},
	{"one value among others", jsAssert + "assert([18, 19].includes(digitScore(123)));\nassert(String(digitScore(5005)).includes('40'));"},
	{"a suite of node:test", "const { test } = require('node:test'); const assert = require('node:assert');\ntest('a', () => assert.strictEqual(digitScore(123), 18));\ntest('b', async () => { assert.strictEqual(await digitScore(9), 9) });"},
	{"a suite of Jest", "describe('x', () => { it('a', () => { expect(digitScore(123)).toBe(18) }); it('b', () => { expect(digitScore(9)).toEqual(9) }) });"},
}

func TestJavaScriptIsNotFooled(t *testing.T) {
	node(t)
	limits := sandbox.Limits{Wall: 5e9, CPU: 3e9}
	for i, a := range jsAttacks {
		for k, s := range jsSuites {
			if (i+k)%3 != 0 && os.Getenv("VERIFYD_ALL") == "" {
				continue // the default suite tries each under two suites of the six
			}
			t.Run(a.name+"/"+s.name, func(t *testing.T) {
				t.Parallel()
				rep := check(t, codecheck.Task{Language: "javascript", Answer: a.code, Tests: asserts(t, s.code), Limits: limits})
				if !rep.Status.Judged() || rep.Reward != 0 {
					t.Errorf("got %s, reward %v (%s)", rep.Status, rep.Reward, rep.Reason)
				}
			})
		}
	}
	for _, a := range jsHonest {
		for _, s := range jsSuites {
			t.Run(a.name+"/"+s.name, func(t *testing.T) {
				t.Parallel()
				rep := check(t, codecheck.Task{Language: "javascript", Answer: a.code, Tests: asserts(t, s.code), Limits: limits})
				if rep.Status != codecheck.Passed || rep.Integrity != codecheck.Split {
					t.Errorf("got %s, %s (%s)", rep.Status, rep.Integrity, rep.Reason)
				}
			})
		}
	}
}
