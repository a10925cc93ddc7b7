'use strict';
// Two processes that lend each other their objects: the tester holds the tests, the candidate the program.
//
// Plain values travel (vd_wire). Whatever else there is stays where it was made; the other side gets a mirror of it (vd_mirror),
// whose operations come back as requests. Exactly one side has the turn: it sends a request and serves the other's requests
// until the answer comes.
//
//   tester                         candidate
//   f([3, 1])      ───────────▶    f(array)              the array is shared: both sides send its changes
//                  ◀───────────    {"h": 7, …}           an object: the tester gets a mirror of it
//   mirror.total   ───────────▶    Reflect.get(object 7, …)
//
// Promises are lent, too. The event loop of a side runs while that side has the turn and nothing on its stack; the tester gives
// its turn away (request "turn") while it waits, and what was settled meanwhile comes back with the answer.
const { Encoder, Decoder, Unsendable, Gone, own } = require('vd_wire');
const { Sharing } = require('vd_shared');
const { INTRINSICS, NAMED, STATEFUL } = require('vd_intrinsics');
const { mirrorOf } = require('vd_mirror');
const types = require('util').types;

const { getPrototypeOf, getOwnPropertyDescriptor } = Object;
const WELL_KNOWN = new Map(Object.getOwnPropertyNames(Symbol).filter((n) => typeof Symbol[n] === 'symbol').map((n) => [Symbol[n], n]));

class Peer extends Sharing {
  constructor(channel, side) {
    super(side);
    this.ch = channel;
    this.objects = []; // lent by this side
    this.handles = new Map();
    this.mirrors = new Map(); // borrowed: handle to mirror
    this.ofMirror = new Map(); // and back
    this.wanted = new Map(); // borrowed promises: handle to [resolve, reject]
    this.settled = []; // lent promises that have been settled, not yet told: [handle, ok, value]
    this.lend = this.lend.bind(this);
    this.borrow = this.borrow.bind(this);
  }

  // --- values out

  // The wire form of what is not plain. Before its content is tried (last is false) only what is known by identity.
  lend(enc, v, depth, last) {
    if (!last) {
      if (typeof v === 'symbol') return this.lendSymbol(v);
      const h = this.ofMirror.get(v);
      if (h !== undefined) return { H: h };
      const name = NAMED.get(v);
      if (name) return { g: name };
      if (types.isPromise(v)) return this.lendPromise(v);
      return null;
    }
    if (typeof v === 'function') return { h: this.give(v), k: 'f' };
    return { h: this.give(v), k: 'o' };
  }

  lendSymbol(v) {
    if (WELL_KNOWN.has(v)) return { y: ['well', WELL_KNOWN.get(v)] };
    if (Symbol.keyFor(v) !== undefined) return { y: ['for', Symbol.keyFor(v)] };
    const h = this.ofMirror.get(v);
    return h !== undefined ? { H: h } : { h: this.give(v), k: 'y', n: v.description };
  }

  lendPromise(v) {
    const fresh = !this.handles.has(v);
    const h = this.give(v);
    if (fresh) {
      const tell = (ok) => (value) => {
        this.settled.push([h, ok, value]);
        this.wake();
      };
      Promise.prototype.then.call(v, tell(true), tell(false));
    }
    return { h, k: 'p' };
  }

  // Called when a lent promise was settled.
  wake() {}

  // The handle of an object of this side.
  give(v) {
    let h = this.handles.get(v);
    if (h === undefined) {
      h = this.objects.length;
      this.handles.set(v, h);
      this.objects.push(v);
    }
    return h;
  }

  // --- values in

  borrow(dec, tag, x) {
    switch (tag) {
      case 'H': return this.objects[x.H];
      case 'h': return this.borrowed(x);
      case 'k': return this.borrowShared(dec, x);
      case 'g': return INTRINSICS.get(x.g);
      case 'y': return x.y[0] === 'for' ? Symbol.for(String(x.y[1])) : Symbol[x.y[1]];
      case 'E': return this.foreign(x);
    }
    throw new Gone('unknown value');
  }

  // Told of errors that came from the other side.
  foreign() {}

  borrowShared(dec, x) {
    const at = dec.table.length;
    const fresh = dec.value(x.v);
    const got = this.receiveShared(x.k, fresh);
    if (got !== fresh && dec.table[at] === fresh) dec.table[at] = got;
    return got;
  }

  borrowed(x) {
    let m = this.mirrors.get(x.h);
    if (m !== undefined) return m;
    if (x.k === 'p') m = this.borrowPromise(x.h);
    else if (x.k === 'y') m = Symbol(x.n);
    else m = mirrorOf(this, x);
    this.mirrors.set(x.h, m);
    this.ofMirror.set(m, x.h);
    return m;
  }

  borrowPromise(h) {
    const p = new Promise((resolve, reject) => this.wanted.set(h, [resolve, reject]));
    this.wants();
    return p;
  }

  // Called when a promise was borrowed.
  wants() {}

  // --- the conversation

  // request asks the other side to do something to an object of its own, or to nothing (target null).
  request(op, target, args) {
    const msg = { q: op };
    const enc = new Encoder(this.lend);
    if (target !== null) msg.o = this.ofMirror.get(target);
    msg.a = args.map((x) => this.share(enc, x));
    this.decorate(msg);
    this.post(msg);
    return this.answer();
  }

  // ask is an operation on a mirror.
  ask(op, mirror, args) {
    const v = this.request(op, mirror, args);
    return op === 'get' && STATEFUL.has(v) ? this.method(v, args[0]) : v;
  }

  // method is a method of the language's own that was read from a mirror, and is called on it by asking.
  method(f, key) {
    return new Proxy(f, { apply: (_, that, args) => (this.ofMirror.has(that) ? this.request('method', that, [key, ...args]) : Reflect.apply(f, that, args)) });
  }

  post(msg) {
    const changed = this.changes();
    if (changed.length) msg.s = changed;
    this.ch.send('P', msg);
  }

  // Serve the other side until it answers.
  answer() {
    for (;;) {
      const msg = this.receive();
      if (own(msg, 'q')) {
        this.serve(msg);
        continue;
      }
      this.settle(msg);
      const dec = new Decoder(this.borrow);
      const fails = own(msg, 'x');
      const value = dec.value(fails ? msg.x : msg.r);
      this.dropLarge();
      if (own(msg, 'd')) this.resolve(msg);
      if (fails) throw value;
      return value;
    }
  }

  receive() {
    const [kind, msg] = this.ch.recv();
    if (kind !== 'P' || typeof msg !== 'object' || msg === null) throw new Gone('the conversation is over');
    return msg;
  }

  serve(msg) {
    let out;
    try {
      this.settle(msg);
      const dec = new Decoder(this.borrow);
      const target = own(msg, 'o') ? this.objects[msg.o] : null;
      const args = msg.a.map((x) => dec.value(x));
      out = { r: this.share(new Encoder(this.lend), this.perform(msg, target, args)) };
    } catch (e) {
      if (e instanceof Gone) throw e;
      out = { x: this.thrown(e) };
    }
    this.finish(out);
    try {
      this.post(out);
    } catch (e) {
      if (!(e instanceof Unsendable)) throw e;
      this.ch.send('P', { x: { E: 'RangeError', m: 'value too large', x: [] } });
    }
    this.dropLarge();
  }

  thrown(e) {
    try {
      return new Encoder(this.lend).value(e);
    } catch {
      return { E: 'Error', m: 'exception cannot be sent', x: [] };
    }
  }

  perform(msg, target, a) {
    this.allowed(msg.q, target, a);
    switch (msg.q) {
      case 'call': return Reflect.apply(target, a[0], a.slice(1));
      case 'method': return Reflect.apply(target[a[0]], target, a.slice(1));
      case 'new': return Reflect.construct(target, a);
      case 'get': return Reflect.get(target, a[0]);
      case 'set': return Reflect.set(target, a[0], a[1]);
      case 'has': return Reflect.has(target, a[0]);
      case 'delete': return Reflect.deleteProperty(target, a[0]);
      case 'keys': return Reflect.ownKeys(target);
      case 'own': return describe(target, a[0]);
      case 'proto': return getPrototypeOf(target);
    }
    return this.more(msg.q, target, a);
  }

  // The settled promises for the other side, in wire form.
  drain() {
    const told = this.settled.map(([h, ok, value]) => [h, ok, this.sendable(value)]);
    this.settled = [];
    return told;
  }

  sendable(value) {
    try {
      return this.share(new Encoder(this.lend), value);
    } catch (e) {
      return { E: 'RangeError', m: 'value too large', x: [] };
    }
  }

  // resolve settles the borrowed promises that a message tells of; gives how many there were.
  resolve(msg) {
    for (const [h, ok, form] of msg.d || []) {
      const value = new Decoder(this.borrow).value(form);
      const waiting = this.wanted.get(h);
      this.wanted.delete(h);
      if (waiting) waiting[ok ? 0 : 1](value);
    }
    return (msg.d || []).length;
  }

  decorate() {}

  finish() {}

  more() {
    throw new Error('unknown request');
  }
}

// describe tells of an own property what a mirror of it needs; null where there is none.
function describe(target, key) {
  const d = getOwnPropertyDescriptor(target, key);
  return d ? [d.enumerable, Reflect.get(target, key)] : null;
}

module.exports = { Peer };
