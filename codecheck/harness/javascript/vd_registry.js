'use strict';
// Tests of the kind that node:test, Jest and Mocha have: described, registered, then run one after the other.
const { expect } = require('vd_expect');

const TIMEOUT = 5000; // ms that a test may wait for its callback, as in Jest; own limits decide where they are narrower

class Suite {
  constructor(name, parent) {
    Object.assign(this, { name, parent, items: [], before: [], after: [], beforeEach: [], afterEach: [] });
  }

  path(name) {
    return this.parent ? this.parent.path(this.name ? `${this.name} > ${name}` : name) : name;
  }

  // Hooks from the outermost suite in.
  each(kind) {
    return [...(this.parent ? this.parent.each(kind) : []), ...this[kind]];
  }
}

class Registry {
  constructor(run) {
    this.owner = run;
    this.root = this.here = new Suite('', null);
    this.count = 0; // registrations so far
    this.only = false;
  }

  // The names that such tests use as globals.
  words() {
    const hook = (kind) => (a, b) => {
      this.count++;
      this.here[kind].push(typeof a === 'function' ? a : b);
    };
    const test = this.variants((...a) => this.test(...a)), describe = this.variants((...a) => this.describe(...a));
    return { test, it: test, specify: test, describe, suite: describe, context: describe, before: hook('before'), beforeAll: hook('before'), after: hook('after'),
      afterAll: hook('after'), beforeEach: hook('beforeEach'), afterEach: hook('afterEach'), expect };
  }

  module() {
    const words = this.words();
    const all = Object.assign((...a) => words.test(...a), words.test, words);
    Object.defineProperty(all, 'mock', { get: () => require('node:test').mock });
    all.default = all;
    return all;
  }

  variants(f) {
    const skip = () => { this.count++; };
    const only = (...a) => {
      this.only = true;
      f(...a, { only: true });
    };
    const each = (rows) => (name, g) => [...rows].forEach((row, i) => f(format(name, row, i), () => g(...(Array.isArray(row) ? row : [row]))));
    return Object.assign((...a) => f(...a), { skip, todo: skip, only, each, concurrent: f });
  }

  parts(args) {
    const f = args.find((a) => typeof a === 'function');
    const options = Object.assign({}, ...args.filter((a) => a !== null && typeof a === 'object'));
    return { name: typeof args[0] === 'string' ? args[0] : (f && f.name) || '<anonymous>', options, f };
  }

  describe(...args) {
    const { name, options, f } = this.parts(args);
    this.count++;
    if (options.skip || options.todo || !f) return undefined;
    const suite = new Suite(name, this.here);
    suite.only = options.only;
    this.here.items.push(suite);
    const outer = this.here;
    this.here = suite;
    try {
      const r = f({ name });
      if (r && typeof r.then === 'function') suite.ready = r;
    } finally {
      this.here = outer;
    }
    return undefined;
  }

  test(...args) {
    const { name, options, f } = this.parts(args);
    this.count++;
    if (options.skip || options.todo || !f) return Promise.resolve();
    let done;
    const finished = new Promise((resolve) => { done = resolve; });
    this.here.items.push({ name, f, only: options.only, done });
    return { then: (...a) => (this.running ? finished.then(...a) : Promise.resolve().then(...a)) };
  }

  async run() {
    this.running = true;
    await this.suite(this.root, !this.only);
  }

  async suite(s, chosen) {
    const { owner } = this;
    this.here = s;
    try {
      await s.ready;
      for (const h of s.before) await call(h, {});
    } catch (e) {
      return owner.failed(s.path('before'), e);
    }
    for (let i = 0; i < s.items.length; i++) {
      const item = s.items[i], on = chosen || item.only;
      if (item instanceof Suite) await this.suite(item, on);
      else if (on) await this.one(s, item);
    }
    this.here = s;
    for (const h of s.after) await owner.attemptQuietly(s.path('after'), () => call(h, {}));
  }

  async one(s, item) {
    const { owner } = this, after = [];
    const t = this.context(s, item, after);
    try {
      for (const h of s.each('beforeEach')) await call(h, t);
      await call(item.f, t);
      for (const sub of t.pending) await sub;
      for (const h of [...s.each('afterEach').reverse(), ...after]) await call(h, t);
    } catch (e) {
      owner.failed(s.path(item.name), e);
      return item.done();
    }
    if (!t.skipped) owner.passed(s.path(item.name));
    item.done();
  }

  // What node:test hands to a test. Tests within it count as part of it.
  context(s, item, after) {
    const t = { name: item.name, pending: [], skipped: false, diagnostic() {}, plan() {}, runOnly() {}, signal: new AbortController().signal };
    t.skip = t.todo = () => { t.skipped = true; };
    t.after = (f) => after.push(f);
    t.before = (f) => f();
    t.beforeEach = t.afterEach = () => {};
    t.test = (...args) => {
      const { options, f } = this.parts(args);
      const p = f && !options.skip && !options.todo ? call(f, this.context(s, item, after)) : Promise.resolve();
      t.pending.push(p);
      return p;
    };
    Object.defineProperty(t, 'mock', { get: () => require('node:test').mock });
    t.assert = require('assert');
    return t;
  }
}

// call runs a test or hook: at its end, at the end of its promise, or when it calls back, where it takes a callback.
function call(f, t) {
  if (f.length < (t.name === undefined ? 1 : 2) && !callsBack(f)) return Promise.resolve(f(t));
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error('the test did not call back')), TIMEOUT);
    const done = (e) => {
      clearTimeout(timer);
      e ? reject(e) : resolve();
    };
    done.fail = (e) => done(e || new Error('failed'));
    const r = f.length >= 2 ? f(t, done) : f(done);
    if (r && typeof r.then === 'function') r.then(() => done(), reject);
  });
}

// A test's only parameter is Jest's callback or node:test's context; what it is called tells which.
function callsBack(f) {
  return f.length === 1 && /^(async\s+)?(function\s*\w*\s*)?\(?\s*(done|cb|callback|next)\b/.test(Function.prototype.toString.call(f));
}

function format(name, row, i) {
  const values = Array.isArray(row) ? row.slice() : [row];
  return String(name).replace(/%[sdifjop#%]/g, (m) => (m === '%#' ? String(i) : m === '%%' ? '%' : show(values.shift()))).replace(/\$(\w+)/g, (m, k) => (row !== null && typeof row === 'object' && k in row ? show(row[k]) : m));
}

function show(v) {
  return typeof v === 'string' ? v : require('util').inspect(v);
}

module.exports = { Registry };
