'use strict';
// The candidate's side: load the program, then do what the tester asks. Nothing of the tests is ever here.
const vm = require('vm');
const path = require('path');
const Module = require('module');
const { Channel, Gone, ERRORS, own } = require('vd_wire');
const { Text, unquote } = require('vd_text');
const { script } = require('vd_modules');

const leave = process.reallyExit.bind(process);
const { log, error, warn, info, debug } = console;
const CONSOLE = { log, error, warn, info, debug };
const later = setImmediate, hold = setTimeout, release = clearTimeout, now = performance.now.bind(performance);
const PARAMETERS = ['exports', 'require', 'module', '__filename', '__dirname', '__vd_begin', '__vd_scope'];

// kindOf is the name of an exception's nearest built-in class; '' of what is no error.
function kindOf(e) {
  for (let p = e; p !== null && (typeof p === 'object' || typeof p === 'function'); p = Object.getPrototypeOf(p)) {
    for (const name in ERRORS) if (p === ERRORS[name].prototype) return name;
  }
  return '';
}

// A program that is loaded, or why it is not: stage and error.
class Program {
  constructor(job) {
    this.file = job.file;
    this.module = new Module(job.file, null);
    this.module.filename = job.file;
    this.module.paths = [];
    this.scope = null; // evaluates an expression where the program's names are
    this.begun = job.before.length === 0;
    this.source = job.source;
    this.before = job.before;
    this.text = null;
  }

  // load runs the program; a promise where it waits for something at its top.
  load() {
    let run;
    this.globals = new Set(Object.getOwnPropertyNames(globalThis));
    try {
      run = this.compile();
    } catch (e) {
      return this.fail('syntax', e);
    }
    try {
      return this.start(run);
    } catch (e) {
      return this.fail(this.begun ? 'load' : 'setup', e);
    }
  }

  start(run) {
    const require = Module.createRequire(this.file);
    require.main = this.module;
    process.mainModule = this.module;
    process.argv = [process.argv[0], this.file];
    const end = run.call(this.module.exports, this.module.exports, require, this.module, this.file, path.dirname(this.file),
      () => { this.begun = true; }, (scope) => { this.scope = scope; });
    return this.waits ? end.then(() => {}, (e) => this.fail('load', e)) : undefined;
  }

  compile() {
    let body = this.source.replace(/^\uFEFF/, '').replace(/^#!/, '//');
    try {
      this.text = new Text(this.source);
      body = script(this.text);
    } catch {
      // not readable here: the compiler decides
    }
    const before = this.before.length ? `${this.before.join('\n;\n')}\n;__vd_begin();\n` : '';
    const all = `${before}${body}\n;__vd_scope((__vd_code, __vd_value) => eval(__vd_code));`;
    try {
      return this.function(all);
    } catch (e) {
      if (!/\bawait\b/.test(body)) throw e;
      this.waits = true;
      return this.function(`return (async () => {${all}\n})()`);
    }
  }

  function(body) {
    const dynamic = vm.constants && vm.constants.USE_MAIN_CONTEXT_DEFAULT_LOADER;
    return vm.compileFunction(body, PARAMETERS, { filename: this.file, ...(dynamic ? { importModuleDynamically: dynamic } : {}) });
  }

  fail(stage, error) {
    this.stage = stage;
    this.error = error;
  }

  // names are those that the program defines at its top: declared, exported, or made global.
  names() {
    const words = this.text ? [...this.text.binds] : this.source.match(/[\p{ID_Start}$_][\p{ID_Continue}$]*/gu) || [];
    const declared = [...new Set(words)].filter((n) => this.scope && this.declares(n));
    const made = Object.getOwnPropertyNames(globalThis).filter((n) => !this.globals.has(n));
    return [...new Set([...declared, ...this.exported(), ...made])];
  }

  declares(name) {
    try {
      return this.scope(`typeof ${name}`) !== 'undefined';
    } catch {
      return false;
    }
  }

  exported() {
    const e = this.module.exports;
    return e !== null && (typeof e === 'object' || typeof e === 'function') ? Object.keys(e) : [];
  }

  get(name) {
    if (this.scope && this.declares(name)) return this.scope(name);
    const e = this.module.exports;
    return this.exported().includes(name) ? e[name] : globalThis[name];
  }

  set(name, value) {
    this.scope(`${name} = __vd_value`, value);
  }
}

function main() {
  const ch = new Channel(3);
  guard(() => {
    const program = new Program(ch.recv()[1]);
    const wait = program.load();
    if (wait) wait.then(() => later(() => guard(() => serve(ch, program))));
    else if (program.stage) serve(ch, program);
    else later(() => guard(() => serve(ch, program))); // what the program began may go on first
  });
}

function guard(f) {
  try {
    f();
  } catch (e) {
    if (e instanceof Gone) leave(3);
    throw e;
  }
}

function serve(ch, program) {
  if (program.stage) {
    ch.send('X', { stage: program.stage, error: kindOf(program.error) });
    leave(0);
  }
  const { Peer } = require('vd_peer');
  new (candidate(Peer))(ch, program).begin();
}

// candidate makes the peer's class; the peer is loaded after the program, which need not wait for it.
const candidate = (Peer) => class Candidate extends Peer {
  constructor(channel, program) {
    super(channel, 1);
    this.program = program;
    this.turn = null; // while the event loop runs
  }

  allowed() {}

  begin() {
    const p = this.program, whole = p.module.exports;
    this.ch.send('U', { names: p.names().slice(0, 10_000), exports: typeof whole !== 'object' || whole === null || p.exported().length > 0 });
    this.loop();
  }

  // The bottom of the stack: requests are served until one gives the turn to the event loop.
  loop() {
    for (;;) {
      const msg = this.receive();
      if (msg.q === 'turn') return this.startTurn(msg);
      if (!own(msg, 'q')) throw new Gone('an answer without a question');
      this.serve(msg);
    }
  }

  // The event loop runs until a promise that the tester waits for is settled, nothing is left to do, it waits for the tester
  // itself, or its time (in ms; 0: no bound) is over.
  startTurn(msg) {
    const turn = this.turn = { over: false, timer: null };
    const end = (idle) => guard(() => this.endTurn(turn, idle));
    this.settle(msg);
    this.resolve(msg);
    turn.end = end;
    turn.idle = () => end(true);
    process.once('beforeExit', turn.idle);
    if (msg.a[0] > 0) turn.timer = hold(() => end(false), msg.a[0]).unref();
    later(() => (this.settled.length || this.wanted.size) && end(false));
  }

  endTurn(turn, idle) {
    if (turn.over) return;
    turn.over = true;
    this.turn = null;
    release(turn.timer);
    process.removeListener('beforeExit', turn.idle);
    this.post({ r: { u: 0 }, d: this.drain(), idle });
    this.loop();
  }

  wake() {
    const turn = this.turn;
    if (turn) later(() => turn.end(false));
  }

  wants() {
    this.wake();
  }

  perform(msg, target, a) {
    if (!own(msg, 'i')) return super.perform(msg, target, a);
    const saved = { ...console };
    for (const k of Object.keys(msg.i)) if (own(CONSOLE, k)) console[k] = this.borrowed(msg.i[k]);
    try {
      return super.perform(msg, target, a);
    } finally {
      for (const k of Object.keys(msg.i)) if (own(CONSOLE, k)) console[k] = saved[k];
    }
  }

  more(op, target, a) {
    switch (op) {
      case 'name': return this.program.get(a[0]);
      case 'setname': return this.program.set(a[0], a[1]);
      case 'exports': return this.program.module.exports;
    }
    return super.more(op, target, a);
  }
};

module.exports = { main, Program, kindOf, guard, leave };
