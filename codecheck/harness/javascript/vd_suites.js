'use strict';
// Which tests a text holds, and running them: statements, functions of tests, check(candidate), tests of node:test's kind.
//
// The text runs whole, as the body of one function; marks are put between the statements at its top, so that each of them which
// is no declaration counts as a test of its own.
const vm = require('vm');
const assert = require('assert');
const Module = require('module');
const { Text, compiles } = require('vd_text');
const { converted } = require('vd_modules');
const { Registry } = require('vd_registry');
const { Broken } = require('vd_tester');
const { mustShare } = require('vd_sharing');

const FRAMEWORKS = new Set(['node:test', '@jest/globals', 'vitest']);
const PARAMETERS = 'exports, require, module, __filename, __dirname, __vd';
// Errors that a text meets by itself where the program lacks something; any other one that it throws is a test's no.
const MISSING = [ReferenceError, TypeError, RangeError, SyntaxError];

class Plan {
  constructor(job) {
    this.job = job;
    const skip = job.before ? new Text(job.before).statements.length : 0;
    this.text = this.read(job.before ? `${job.before}\n;\n${job.text}` : job.text);
    for (const s of this.text.statements.slice(0, skip)) s.given = true;
    this.checkModules();
    const { statements, words, binds } = this.text;
    this.cases = statements.filter((s) => s.counts);
    this.functions = statements.filter((s) => s.first === 'function' && /^test([A-Z0-9_]|$)/.test(s.binds[0] || '') && words.get(s.binds[0]) === 1).map((s) => s.binds[0]);
    this.check = job.kind === 'check_fn' || job.entry !== '' && binds.has('check') && words.get('check') === 1;
    if (this.check && !binds.has('check')) throw new Broken('broken_tests', 'the tests define no check function');
    this.expected = Math.max(1, this.cases.length + this.functions.length + (this.check ? 1 : 0));
    if (!this.check && this.cases.length + this.functions.length === 0) throw new Broken('no_tests', 'the tests hold nothing to check');
  }

  read(source) {
    try {
      const text = new Text(source);
      const { lines, late } = converted(text);
      this.lines = lines;
      this.late = late;
      if (compiles(lines.join('\n') + late)) return text;
    } catch {
      // said below
    }
    throw new Broken('broken_tests', 'the tests do not compile');
  }

  checkModules() {
    for (const [name, guarded] of this.text.modules) {
      if (guarded || this.solution(name) || FRAMEWORKS.has(name) || Module.isBuiltin(name)) continue;
      throw new Broken('missing_dependency', `the tests need the module ${name.slice(0, 60)}, which is not installed`);
    }
  }

  // Whether a module's name means the program.
  solution(name) {
    return /^\.{0,2}\//.test(name) || name === this.job.solution;
  }

  mustShare() {
    return mustShare(this.text);
  }

  // body is the text with its marks. What runs as a test: begin(n), then end(n) or fail(n, error).
  body() {
    let n = 0;
    const parts = this.text.statements.map((s, i) => {
      if (!s.counts) return this.lines[i];
      const at = n++;
      const ends = s.list[s.list.length - 1].v === ';';
      const bare = ends ? s.text.slice(0, s.list[s.list.length - 2].end - s.list[0].at) : s.text;
      const run = s.expression ? `if (__vd.promised(${at}, (${bare}\n))) await __vd.last; __vd.end(${at});` : `${s.text}\n;__vd.end(${at});`;
      return `try { __vd.begin(${at}); ${run} } catch (__vd_e) { __vd.fail(${at}, __vd_e); }`;
    });
    const after = [...this.functions.map((f) => `__vd.add(${JSON.stringify(f)}, ${f});`), this.check ? '__vd.add("check", () => check(__vd.entry()));' : ''];
    return `${parts.join('\n')}${this.late}\n${after.join('')}`;
  }

  compile() {
    const marked = this.body();
    const whole = `(async function (${PARAMETERS}) {${marked}\n})`;
    if (compiles(marked)) return new vm.Script(whole, { filename: this.job.file }).runInThisContext();
    // a statement that cannot stand in a block of its own: the text is one test
    this.expected = 1;
    return new vm.Script(`(async function (${PARAMETERS}) {__vd.begin(0);${this.lines.join('\n')}${this.late}\n;__vd.end(0);})`, { filename: this.job.file }).runInThisContext();
  }

  run(candidate, up, report, leave, gone) {
    new Run(this, candidate, up, report, leave, gone).start();
  }
}

// One run of a plan.
class Run {
  constructor(plan, candidate, up, report, leave, gone) {
    Object.assign(this, { plan, candidate, up, report, leave, gone });
    this.at = -1; // the statement that runs; -1: none that counts
    this.extra = []; // functions that are called after the text
    this.registry = new Registry(this);
    this.total = 0;
  }

  start() {
    this.install();
    process.on('uncaughtException', (e) => this.stray(e));
    process.on('unhandledRejection', (e) => this.stray(e));
    process.exit = (code) => this.exit(code);
    process.on('beforeExit', () => this.idle());
    this.main().then(() => this.settle(), (e) => this.stray(e));
    this.candidate.wake();
  }

  async main() {
    const module = new Module(this.plan.job.file, null);
    const f = this.plan.compile();
    try {
      await f.call(module.exports, module.exports, this.require(module), module, this.plan.job.file, '/work', this);
    } catch (e) {
      if (this.at >= 0) this.failed(`assert ${this.at + 1}`, e);
      else this.failed("the tests' own set-up", e);
      return this.endNow(this.plan.expected);
    }
    for (const [name, f] of this.extra) await this.attempt(name, f);
    await this.registry.run();
  }

  // --- marks in the text

  begin(n) {
    this.at = n;
    this.registered = this.registry.count;
  }

  promised(n, value) {
    this.last = value;
    return value !== null && typeof value === 'object' && typeof value.then === 'function';
  }

  end(n) {
    this.at = -1;
    if (this.registry.count === this.registered) this.passed(`assert ${n + 1}`);
  }

  fail(n, e) {
    this.at = -1;
    this.failed(`assert ${n + 1}`, e);
  }

  add(name, f) {
    this.extra.push([name, f]);
  }

  entry() {
    return globalThis[this.plan.job.entry];
  }

  // --- results

  passed(name) {
    const { fault } = this.candidate;
    if (fault) {
      this.candidate.fault = null;
      return this.failed(name, fault);
    }
    this.total++;
    this.report.case(name, 'passed');
  }

  failed(name, e) {
    this.total++;
    this.report.case(name, ...this.classify(e));
    if (this.report.done) this.endNow(this.plan.expected);
  }

  classify(e) {
    const { kindOf } = require('vd_candidate');
    if (e instanceof assert.AssertionError && this.candidate.ours(e)) return ['tests_failed', 'AssertionError'];
    const ours = this.candidate.ours(e) && !MISSING.some((c) => e instanceof c);
    return [ours ? 'tests_failed' : 'runtime_error', kindOf(e)];
  }

  async attempt(name, f) {
    try {
      await f();
    } catch (e) {
        return this.failed(name, e);
    }
    this.passed(name);
  }

  // A hook: only its failure counts.
  async attemptQuietly(name, f) {
    try {
      await f();
    } catch (e) {
      this.failed(name, e);
    }
  }

  // An error that nobody waited for.
  stray(e) {
    const { Gone } = require('vd_wire');
    if (e instanceof Broken || e instanceof Gone) return this.gone(e);
    this.failed(this.at >= 0 ? `assert ${this.at + 1}` : 'an error outside of the tests', e);
    if (!this.candidate.over) this.endNow(this.plan.expected);
  }

  exit(code = process.exitCode) {
    if (Number(code || 0) !== 0) this.failed('exit', new Error('exit code'));
    else if (this.at >= 0) this.passed(`assert ${this.at + 1}`);
    this.endNow(0);
  }

  // All has been run; what the tests have started may still go on, and fail.
  settle() {
    this.candidate.closing = this.finished = true;
  }

  // Nothing is left to wait for.
  idle() {
    if (!this.finished) this.failed(this.at >= 0 ? `assert ${this.at + 1}` : 'the tests', new Error('what the tests wait for does not come'));
    else if (this.candidate.fault) this.failed('a callback', this.candidate.fault);
    else if (process.exitCode) this.failed('exit', new Error('exit code'));
    else if (this.total === 0) return this.gone(new Broken('no_tests', 'the tests hold nothing to check'));
    return this.endNow(this.finished ? this.total : this.plan.expected);
  }

  endNow(total) {
    this.candidate.over = true;
    this.report.end(total);
    this.leave();
  }

  // --- what the text sees

  install() {
    const { up, candidate, plan } = this;
    console.assert = (ok, ...a) => {
      if (!ok) throw new assert.AssertionError({ message: a.length ? String(a[0]) : 'console.assert failed', actual: ok, expected: true, operator: '==' });
    };
    for (const [name, v] of Object.entries({ ...this.registry.words(), assert })) if (!(name in globalThis)) globalThis[name] = v;
    const wanted = up.names.filter((n) => typeof n === 'string' && (plan.text.words.has(n) || n === plan.job.entry));
    // A name that hides one of the language's or of a framework's is the program's only where the tests ask for nothing else of it.
    const hiding = !wanted.some((n) => !(n in globalThis));
    for (const n of wanted) if (!(n in globalThis) || n === plan.job.entry || hiding) this.define(n, candidate);
  }

  define(name, candidate) {
    let held;
    const ask = candidate.local ? () => candidate.local.get(name) : () => candidate.request('name', null, [name]);
    Object.defineProperty(globalThis, name, {
      configurable: true, enumerable: true,
      get() {
        if (held === undefined) {
          const v = ask();
          if (typeof v !== 'function') return v;
          held = v;
        }
        return held;
      },
      set: (v) => candidate.local ? candidate.local.set(name, v) : candidate.request('setname', null, [name, v]),
    });
  }

  require(module) {
    const inner = Module.createRequire('/work/tests.js');
    const f = (name) => {
      if (FRAMEWORKS.has(name)) return this.registry.module();
      if (this.plan.solution(name)) return this.program();
      return inner(name);
    };
    return Object.assign(f, { main: module, cache: {}, resolve: inner.resolve });
  }

  // The program as a module: what it exports, or all its names where it exports nothing.
  program() {
    const { candidate, up } = this;
    if (up.exports) return candidate.local ? candidate.local.module.exports : candidate.request('exports', null, []);
    const all = {};
    for (const n of up.names) Object.defineProperty(all, n, { enumerable: true, get: () => (candidate.local ? candidate.local.get(n) : candidate.request('name', null, [n])) });
    return all;
  }
}

module.exports = { Plan };
