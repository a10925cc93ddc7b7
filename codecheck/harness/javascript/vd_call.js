'use strict';
// Function tests: the program is loaded, then called with one case's arguments at a time. Expected values are never here.
//
// The engine sends a case's arguments, and the next only after the answer to the last. A case is answered by V (a value) or X (an
// exception), then D. From the second case on the program is loaded anew for each, so that what it keeps at its top does not travel.
const { Channel, Gone, Unsendable } = require('vd_wire');
const { Program, kindOf, guard, leave } = require('vd_candidate');

const later = setImmediate;
const MAX_DEPTH = 150, MAX_NODES = 1_000_000;
const TypedProto = Object.getPrototypeOf(Uint8Array.prototype);

function main() {
  const ch = new Channel(3);
  guard(() => new Cases(ch, ch.recv()[1]).start());
}

class Cases {
  constructor(ch, job) {
    this.ch = ch;
    this.job = job;
  }

  start() {
    const program = new Program(this.job);
    const ready = () => {
      if (program.stage) {
        this.ch.send('X', { stage: program.stage, error: kindOf(program.error) });
        leave(0);
      }
      this.ch.send('U', {});
      this.loop(program);
    };
    const wait = program.load();
    if (wait) wait.then(() => guard(ready));
    else ready();
  }

  // The bottom of the stack: case after case, until one has to wait for a promise.
  loop(program) {
    for (;;) {
      const [kind, msg] = this.ch.recv();
      if (kind !== 'A') leave(0);
      const fresh = program || new Program(this.job);
      const wait = program ? undefined : fresh.load();
      program = null;
      if (wait) return void wait.then(() => guard(() => this.one(fresh, msg.args) && this.loop(null)));
      if (!this.one(fresh, msg.args)) return;
    }
  }

  // One case; true where it is answered, false where that comes later.
  one(program, args) {
    if (program.stage) return this.answer('X', { stage: program.stage, error: kindOf(program.error) });
    try {
      const o = this.job.class ? new (program.get(this.job.class))() : undefined;
      const f = o ? o[this.job.fn] : program.get(this.job.fn);
      const v = Reflect.apply(f, o, args);
      if (v !== null && typeof v === 'object' && typeof v.then === 'function') return this.wait(v);
      return this.answer('V', { v: form(v) });
    } catch (e) {
      if (e instanceof Gone) throw e;
      return this.answer('X', { stage: 'call', error: kindOf(e) });
    }
  }

  wait(promise) {
    let over = false;
    const once = (kind, value) => guard(() => {
      if (over) return;
      over = true;
      process.removeListener('beforeExit', unsettled);
      this.answer(kind, value());
      this.loop(null);
    });
    const fails = (e) => once('X', () => ({ stage: 'call', error: kindOf(e) }));
    const unsettled = () => fails(new Error('the promise is never settled'));
    process.on('beforeExit', unsettled);
    promise.then((x) => later(() => once('V', () => ({ v: form(x) }))), (e) => later(() => fails(e)));
    return false;
  }

  answer(kind, value) {
    try {
      this.ch.send(kind, value);
    } catch (e) {
      if (!(e instanceof Unsendable)) throw e;
      this.ch.send('V', { v: { o: 'value too large' } });
    }
    this.ch.send('D', { end: 0 });
    return true;
  }
}

// form is the wire form of a result, read as JSON.stringify reads it, but exactly and without toJSON: undefined is null, a number
// is {"n": text}, plain objects are {"d": pairs}, what JSON has not is {"o": kind}.
function form(v) {
  let nodes = 0;
  const value = (x, depth) => {
    if (++nodes > MAX_NODES || depth > MAX_DEPTH) return { o: 'value too deep or too large' };
    switch (typeof x) {
      case 'string': case 'boolean': return x;
      case 'undefined': return null;
      case 'number': return { n: Object.is(x, -0) ? '0' : String(x) };
      case 'bigint': return { i: bits(x) };
      case 'object': return x === null ? null : object(x, depth + 1);
    }
    return { o: typeof x };
  };
  const object = (x, depth) => {
    const proto = Object.getPrototypeOf(x);
    if (Array.isArray(x)) return list(x, depth);
    if (ArrayBuffer.isView(x) && TypedProto.isPrototypeOf(x)) return { t: list(x, depth) };
    if (proto !== null && proto !== Object.prototype) return { o: 'object' };
    return { d: Object.keys(x).filter((k) => x[k] !== undefined && typeof x[k] !== 'function').map((k) => [k, value(x[k], depth)]) };
  };
  const list = (x, depth) => {
    const items = [];
    for (let i = 0; i < x.length && nodes <= MAX_NODES; i++) items.push(value(x[i], depth));
    return items;
  };
  return value(v, 0);
}

function bits(x) {
  const text = (x < 0n ? -x : x).toString(16);
  return (x < 0n ? '-0x' : '0x') + text;
}

module.exports = { main };
