'use strict';
// The tester's side: the unchanged test text runs here, with mirrors where it names what the candidate defines.
//
// The engine gets one report a frame: B (these tests cannot be used), S (these tests must share a process with the program), W
// (waiting for the candidate), C (one test's result), E (the end, with the number of tests).
const assert = require('assert');
const { Channel, Gone, ERRORS, Encoder } = require('vd_wire');
const { Peer } = require('vd_peer');
const { NAMED } = require('vd_intrinsics');

ERRORS.AssertionError = assert.AssertionError;
const leave = process.reallyExit.bind(process);
const CONSOLE = Object.fromEntries(['log', 'error', 'warn', 'info', 'debug'].map((k) => [k, console[k]]));
const SLICE = 5; // ms that the candidate's event loop runs at a time while the tester's has timers of its own
const PAUSE = 4; // ms at most between two turns where neither side did anything
// Methods by which tests ask a value for a verdict on the expected one, which they hand over: of arrays and texts, and of any value
// whose class the tests do not name.
const VERDICTS = new Set(['includes', 'every', 'some']);
const MORE_VERDICTS = new Set('indexOf lastIndexOf findIndex startsWith endsWith match test localeCompare equals deepEquals isEqual'.split(' '));
const NATIVE = /\{\s*\[native code\]\s*\}$/;
const text = (f) => Function.prototype.toString.call(f);
const HIDDEN = new Set(['constructor', '__proto__', 'prototype', 'caller', 'callee', 'arguments', '__defineGetter__', '__defineSetter__']);

// These tests fail whatever the answer is.
class Broken extends Error {
  constructor(status, reason) {
    super(reason);
    this.status = status;
  }
}

// The tester's view of the candidate: what it may ask of the tests' objects, and what it is believed.
class Candidate extends Peer {
  constructor(channel, words) {
    super(channel, 0);
    this.words = words;
    this.alien = new WeakSet(); // errors that came from the candidate
    this.trusted = new Map();
    this.over = false;
  }

  foreign(e) {
    this.alien.add(e);
  }

  ours(e) {
    return typeof e !== 'object' || e === null || !this.alien.has(e) && !this.ofMirror.has(e);
  }

  // A verdict on a value of the tests is not left to an object of a class that they do not know.
  ask(op, mirror, args) {
    const key = args[0];
    if (op === 'get' && (VERDICTS.has(key) || MORE_VERDICTS.has(key)) && !this.known(mirror, key)) return undefined;
    if (op === 'call' && key === globalThis) args[0] = undefined;
    return super.ask(op, mirror, args);
  }

  known(mirror, key) {
    if (typeof mirror === 'function') return true;
    if (!this.trusted.has(mirror)) {
      const c = this.request('get', mirror, ['constructor']);
      this.trusted.set(mirror, typeof c !== 'function' ? '' : NAMED.has(c) ? 'literal' : this.words.has(String(c.name)) ? 'named' : '');
    }
    const kind = this.trusted.get(mirror);
    return kind === 'named' || kind === 'literal' && !VERDICTS.has(key);
  }

  // Called for every request of the candidate: it may use what it was handed, and look at nothing behind it.
  allowed(op, target, a) {
    const type = typeof target;
    if (target === null || type !== 'object' && type !== 'function' || NAMED.has(target)) throw new TypeError('not available');
    const key = a[0], open = typeof key === 'symbol' ? key.description !== undefined && key.description.startsWith('Symbol.') : !HIDDEN.has(key);
    const inner = Object.hasOwn(target, 'constructor'); // a prototype: methods of the tests' own classes
    const fine = { call: type === 'function', new: type === 'function', get: open, method: open, has: open, own: open, keys: true, proto: true,
      set: open && type === 'object' && !inner, delete: open && type === 'object' && !inner };
    if (!fine[op]) throw new TypeError('not available');
  }

  perform(msg, target, a) {
    if (this.no(target)) return told(msg.q, target, a[0]);
    // a function's text may hold what is expected
    if (msg.q === 'method' && typeof target === 'function' && a[0] === 'toString') return 'function () { [native code] }';
    const v = super.perform(msg, target, a);
    // what comes with the language and has no name in common (vd_intrinsics) was not handed over
    return msg.q === 'get' && typeof v === 'function' && !NAMED.has(v) && !this.ofMirror.has(v) && NATIVE.test(text(v)) ? undefined : v;
  }

  // Whether an error is an assertion of the tests that failed.
  no(e) {
    return e instanceof assert.AssertionError && this.ours(e);
  }

  // An assertion that fails in a callback travels through the program, which could keep it to itself: it counts until it is back.
  // What it says stays here.
  thrown(e) {
    if (!this.no(e)) return super.thrown(e);
    this.fault = e;
    return { h: this.give(e), k: 'o' };
  }

  sendable(value) {
    return this.no(value) ? this.thrown(value) : super.sendable(value);
  }

  answer() {
    try {
      return super.answer();
    } catch (e) {
      if (e === this.fault) this.fault = null;
      throw e;
    }
  }

  decorate(msg) {
    for (const k in CONSOLE) {
      if (console[k] !== CONSOLE[k]) (msg.i ||= {})[k] = new Encoder(this.lend).value(ASK[k]);
    }
  }

  // Gives the turn away while the tests wait, again and again until they are over.
  pump(pause = 0) {
    this.soon = null;
    if (this.over) return;
    let progress = this.settled.length > 0, idle = false;
    try {
      const active = process.getActiveResourcesInfo().some((r) => r === 'Timeout' || r === 'Immediate');
      this.post({ q: 'turn', a: [active || this.wanted.size === 0 ? SLICE : 0], d: this.drain() });
      const before = this.calls;
      idle = this.turnAnswer();
      progress = progress || this.calls !== before || this.told > 0;
    } catch (e) {
      if (e instanceof Gone) leave(3);
      throw e;
    }
    if (progress || !idle && !this.wanted.size && !this.closing) return this.wake();
    pause = Math.min(pause + 1, PAUSE);
    this.next = setTimeout(() => this.pump(pause), pause);
    if (idle || this.closing && !this.wanted.size) this.next.unref(); // with both sides idle, the tests wait for something that does not come
  }

  // The next turn is given away at once: a promise of either side has been settled, or is waited for.
  wake() {
    if (this.over || this.soon) return;
    clearTimeout(this.next);
    this.soon = setImmediate(() => this.pump());
  }

  wants() {
    this.wake();
  }

  turnAnswer() {
    this.told = 0;
    this.lastIdle = false;
    this.answer();
    return this.lastIdle;
  }

  serve(msg) {
    this.calls = (this.calls || 0) + 1;
    super.serve(msg);
  }

  resolve(msg) {
    this.lastIdle = msg.idle === true;
    for (const [, ok, form] of msg.d || []) if (!ok && this.fault && form !== null && this.objects[form.H] === this.fault) this.fault = null;
    this.told = super.resolve(msg);
    return this.told;
  }
}

// told is what the candidate may know of a failed assertion.
function told(op, e, key) {
  switch (op) {
    case 'get': return key === 'message' ? 'an assertion failed' : key === 'name' || key === 'code' ? e[key] : undefined;
    case 'keys': return [];
    case 'own': return null;
    case 'proto': return Error.prototype;
  }
  return op === 'has' && key === 'message';
}

const ASK = Object.fromEntries(Object.keys(CONSOLE).map((k) => [k, (...a) => console[k](...a)]));

// Tells the engine.
class Reporter {
  constructor(ch, job) {
    this.send = ch.send.bind(ch);
    this.everything = job.everything;
    this.nonce = job.nonce;
    this.count = 0;
    this.failed = false;
    delete job.nonce;
  }

  get done() {
    return this.failed && !this.everything;
  }

  case(name, status, error = '') {
    this.count++;
    this.failed = this.failed || status !== 'passed';
    this.send('C', { name: String(name).slice(0, 200), status, error });
  }

  end(total) {
    this.send('E', { total: Math.max(total, this.count), nonce: this.nonce });
  }
}

function main() {
  const ch = new Channel(3);
  const gone = (e) => {
    if (e instanceof Broken) ch.send('B', { status: e.status, reason: e.message });
    leave(e instanceof Gone ? 3 : 0);
  };
  try {
    const job = ch.recv()[1];
    const { Plan } = require('vd_suites');
    const plan = new Plan(job);
    const why = job.local ? '' : plan.mustShare();
    if (why) {
      ch.send('S', { reason: why });
      if (job.auto) leave(0);
    }
    const report = new Reporter(ch, job);
    (job.local ? local : split)(ch, job, plan, (candidate, up) => plan.run(candidate, up, report, () => leave(0), gone));
  } catch (e) {
    if (!(e instanceof Broken) && !(e instanceof Gone)) throw e;
    gone(e);
  }
}

function split(ch, job, plan, go) {
  ch.send('W', {});
  const [kind, up] = ch.recv();
  if (kind !== 'U') throw new Gone('no candidate');
  go(new Candidate(ch, plan.text.words), up);
}

// The program in this very process, for tests and programs that are trusted alike.
function local(ch, job, plan, go) {
  const { Program, kindOf } = require('vd_candidate');
  ch.send('W', {});
  const program = new Program(job.program);
  const ready = () => {
    if (program.stage) {
      ch.send('X', { stage: program.stage, error: kindOf(program.error) });
      leave(0);
    }
    const e = program.module.exports;
    go({ local: program, over: false, ours: () => true, wake() {} }, { names: program.names(), exports: typeof e !== 'object' || program.exported().length > 0 });
  };
  Promise.resolve(program.load()).then(ready);
}

module.exports = { main, Broken };
