'use strict';
// Frames and values on the wire between two Node processes, and between one and the engine.
//
// A value is JSON: null, booleans, finite numbers but -0, texts and dense arrays stand for themselves; the rest is an object
// whose first key is its tag (see READERS). A container that was met before in the same message is {"r": index}. What has
// no plain content (functions, instances of classes, promises) is lent by the peer and never rebuilt from a description.
const fs = require('fs');
const types = require('util').types;

const MAX_ASK = 64 << 20; // bytes of a message from the engine
const MAX_FRAME = 8 << 20; // bytes of a message to it: enough for a list of a million numbers
const MAX_DEPTH = 150; // of nested containers
const MAX_NODES = 1_000_000;
const MAX_DIGITS = 1_000_000; // of a BigInt, hexadecimal: 4 million bits

// Taken once: a program that shares the process with this may change the globals.
const { stringify, parse } = JSON;
const { openSync, readSync, writeSync } = fs;
const { isArray } = Array;
const { is, create, defineProperty, getPrototypeOf, getOwnPropertyDescriptor, isExtensible, isFrozen, isSealed, freeze, seal, preventExtensions } = Object;
const { ownKeys, apply } = Reflect;
const from = Buffer.from.bind(Buffer), alloc = Buffer.allocUnsafe.bind(Buffer);
const hasOwn = Object.prototype.hasOwnProperty;
const own = (o, k) => apply(hasOwn, o, [k]);
const ArrayProto = Array.prototype, ObjectProto = Object.prototype, BufferProto = Buffer.prototype;
const getTime = Date.prototype.getTime;
const mapEntries = Map.prototype.forEach, setEntries = Set.prototype.forEach;

class Unsendable extends Error {}

// The other side, or the engine, is no more.
class Gone extends Error {}

// Frames over a stream: 4 bytes of length (little end first), one byte of kind, JSON.
class Channel {
  constructor(fd) {
    this.fd = process.versions.quickjs ? openSync('/dev/talk', 'r+') : fd; // WebAssembly inherits no descriptor: the channel has a name
    this.head = alloc(4);
  }

  send(kind, value) {
    const body = from(kind + stringify(value));
    if (body.length > MAX_FRAME) throw new Unsendable('message too large');
    const all = alloc(body.length + 4);
    all.writeUInt32LE(body.length, 0);
    body.copy(all, 4);
    for (let at = 0; at < all.length;) at += this.io(writeSync, all, at, all.length - at);
  }

  io(call, buffer, at, n) {
    try {
      return call(this.fd, buffer, at, n);
    } catch {
      throw new Gone('the channel is closed');
    }
  }

  fill(buffer) {
    for (let at = 0; at < buffer.length;) {
      const n = this.io(readSync, buffer, at, Math.min(buffer.length - at, 1 << 20));
      if (n === 0) throw new Gone('the channel is closed');
      at += n;
    }
    return buffer;
  }

  // The next message: [kind, value].
  recv() {
    const n = this.fill(this.head).readUInt32LE(0);
    if (n < 1 || n > MAX_ASK) throw new Gone('no frame');
    const text = this.fill(alloc(n)).toString('utf8');
    return [text[0], parse(text.slice(1))];
  }
}

const TYPED = Object.fromEntries([Int8Array, Uint8Array, Uint8ClampedArray, Int16Array, Uint16Array, Int32Array, Uint32Array, Float32Array,
  Float64Array, BigInt64Array, BigUint64Array].map((c) => [c.name, c]));
const TypedProto = getPrototypeOf(Uint8Array.prototype);
const typedName = getOwnPropertyDescriptor(TypedProto, Symbol.toStringTag).get;
const ERRORS = Object.fromEntries([Error, EvalError, RangeError, ReferenceError, SyntaxError, TypeError, URIError, AggregateError].map((c) => [c.name, c]));
ERRORS.AssertionError = class AssertionError extends Error {}; // stands until the tester puts the real one here

// frost says how closed an object is: 0 open, 1 not extensible, 2 sealed, 3 frozen.
function frost(v) {
  return isExtensible(v) ? 0 : isFrozen(v) ? 3 : isSealed(v) ? 2 : 1;
}
const FREEZE = [(v) => v, preventExtensions, seal, freeze];

// plainKeys are the keys of an object that has plain content only: its own, enumerable data, no functions. Else null.
function plainKeys(v) {
  const keys = ownKeys(v);
  for (const k of keys) {
    const d = getOwnPropertyDescriptor(v, k);
    if (typeof k === 'symbol' || !d || !d.enumerable || !own(d, 'value') || typeof d.value === 'function') return null;
  }
  return keys;
}

// The class of an error that is plain: a built-in one itself, or one of Node's own; else ''.
function errorClass(v) {
  const proto = getPrototypeOf(v);
  for (const name in ERRORS) if (proto === ERRORS[name].prototype) return name;
  const c = proto && own(proto, 'constructor') && proto.constructor;
  if (c && (c.name === 'NodeError' || c.name === 'AssertionError')) {
    return c.name === 'AssertionError' ? c.name : Object.keys(ERRORS).find((n) => getPrototypeOf(proto) === ERRORS[n].prototype) || '';
  }
  return '';
}

// One message's values. lend(encoder, value, depth) gives the wire form of what is not plain.
class Encoder {
  constructor(lend) {
    this.lend = lend;
    this.nodes = 0;
    this.seen = new Map();
  }

  value(v, depth = 0) {
    if (++this.nodes > MAX_NODES || depth > MAX_DEPTH) throw new Unsendable('value too deep or too large');
    switch (typeof v) {
      case 'string': case 'boolean': return v;
      case 'number': return v - v === 0 && !is(v, -0) ? v : { f: is(v, -0) ? '-0' : String(v) };
      case 'undefined': return { u: 0 };
      case 'bigint': return big(v);
      case 'object': if (v === null) return null;
    }
    const at = this.seen.get(v);
    if (at !== undefined) return { r: at };
    const special = this.lend(this, v, depth, false);
    if (special) return special;
    const mark = this.seen.size;
    this.seen.set(v, mark);
    const form = this.container(v, depth + 1);
    if (form !== null) return form;
    this.seen.delete(v); // the peer lends it: no container, so it takes no place among them
    return this.lend(this, v, depth, true);
  }

  // The wire form of a container, an error or a plain library object; null where v is none.
  container(v, depth) {
    if (typeof v === 'function' || typeof v === 'symbol') return null;
    if (isArray(v)) return getPrototypeOf(v) === ArrayProto ? this.array(v, depth) : null;
    const proto = getPrototypeOf(v);
    if (proto === ObjectProto || proto === null) return this.object(v, proto, depth);
    const read = PLAIN.get(proto);
    if (read) return ownKeys(v).length === 0 || types.isTypedArray(v) || types.isRegExp(v) || types.isStringObject(v) ? read(this, v, depth) : null;
    return types.isNativeError(v) ? this.error(v, depth) : null;
  }

  array(v, depth) {
    const list = [], n = v.length;
    if (n > MAX_NODES) throw new Unsendable('value too large');
    for (let i = 0; i < n; i++) list.push(own(v, i) ? this.value(v[i], depth) : { '-': 0 });
    const extra = [];
    const keys = ownKeys(v);
    for (let i = keys.length - 1; i >= 0 && keys[i] !== 'length'; i--) {
      if (typeof keys[i] === 'string') extra.unshift(keys[i], this.value(v[keys[i]], depth));
    }
    const z = frost(v);
    return extra.length || z ? { a: list, x: extra, z } : list;
  }

  object(v, proto, depth) {
    const keys = plainKeys(v);
    if (!keys) return null;
    const list = [];
    for (const k of keys) list.push(k, this.value(v[k], depth));
    const z = frost(v);
    return { [proto ? 'o' : 'O']: list, ...(z ? { z } : {}) };
  }

  error(v, depth) {
    const name = errorClass(v);
    if (!name) return null;
    const extra = [];
    for (const k of ownKeys(v)) {
      const d = getOwnPropertyDescriptor(v, k);
      if (typeof k !== 'string' || k === 'stack' || k === 'message' || typeof d.value === 'function' || !own(d, 'value')) continue;
      extra.push(k, this.value(d.value, depth));
    }
    return { E: name, m: String(v.message), x: extra };
  }

  each(visit, v, depth) {
    const list = [];
    apply(visit, v, [(x, k) => list.push(k, x)]);
    return list.map((x) => this.value(x, depth));
  }
}

function big(v) {
  const text = v.toString(16);
  if (text.length > MAX_DIGITS) throw new Unsendable('integer too large');
  return { i: text };
}

// Objects of the language's own library, by their prototype.
const PLAIN = new Map([
  [Map.prototype, (e, v, d) => ({ M: e.each(mapEntries, v, d) })],
  [Set.prototype, (e, v, d) => ({ S: e.each(setEntries, v, d).filter((_, i) => i % 2) })],
  [Date.prototype, (e, v) => ({ D: e.value(apply(getTime, v, [])) })],
  [RegExp.prototype, (e, v) => ({ X: [v.source, v.flags, v.lastIndex] })],
  [ArrayBuffer.prototype, (e, v) => ({ B: from(v).toString('base64') })],
  [Number.prototype, (e, v) => ({ P: e.value(+v) })],
  [String.prototype, (e, v) => ({ P: `${v}` })],
  [Boolean.prototype, (e, v) => ({ P: v.valueOf() })],
  [BufferProto, (e, v) => ({ T: ['Buffer', v.toString('base64')] })],
  ...Object.values(TYPED).map((c) => [c.prototype, (e, v) => ({ T: [apply(typedName, v, []), from(v.buffer, v.byteOffset, v.byteLength).toString('base64')] })]),
]);

// put sets an own property, whatever stands in the way on the prototype.
function put(o, k, v) {
  if (k === '__proto__') defineProperty(o, k, { value: v, writable: true, enumerable: true, configurable: true });
  else o[k] = v;
}

class Decoder {
  constructor(borrow) {
    this.borrow = borrow; // (decoder, tag, form) gives what the other side lent
    this.table = [];
  }

  value(x) {
    if (typeof x !== 'object' || x === null) return x;
    if (isArray(x)) return this.list(x);
    const tag = ownKeys(x)[0];
    const read = READERS.get(tag);
    return read ? read(this, x[tag], x) : this.borrow(this, tag, x);
  }

  hold(v) {
    this.table.push(v);
    return v;
  }

  list(items) {
    const v = this.hold([]);
    for (const x of items) {
      if (x !== null && typeof x === 'object' && !isArray(x) && own(x, '-')) v.length++;
      else v.push(this.value(x));
    }
    return v;
  }

  pairs(v, items) {
    for (let i = 0; i + 1 < items.length; i += 2) put(v, String(items[i]), this.value(items[i + 1]));
    return v;
  }
}

function unbase(text) {
  const b = from(text, 'base64'), bytes = new Uint8Array(b.length);
  bytes.set(b);
  return bytes.buffer;
}

function regexp(v) {
  const r = new RegExp(v[0], v[1]);
  r.lastIndex = v[2];
  return r;
}

function makeError(d, name, x) {
  const C = own(ERRORS, name) ? ERRORS[name] : Error;
  const e = d.hold(name === 'AggregateError' ? new C([], String(x.m)) : name === 'AssertionError' ? new C({ message: String(x.m) }) : new C(String(x.m)));
  for (let i = 0; i + 1 < x.x.length; i += 2) {
    const hidden = x.x[i] === 'cause' || x.x[i] === 'errors';
    defineProperty(e, String(x.x[i]), { value: d.value(x.x[i + 1]), writable: true, enumerable: !hidden, configurable: true });
  }
  d.borrow(d, 'E', e);
  return e;
}

const READERS = new Map(Object.entries({
  u: () => undefined,
  f: (d, v) => Number(v),
  i: (d, v) => (v[0] === '-' ? -BigInt('0x' + v.slice(1)) : BigInt('0x' + v)),
  r: (d, v) => d.table[v],
  a: (d, v, x) => FREEZE[x.z | 0](d.pairs(d.list(v), x.x)),
  o: (d, v, x) => FREEZE[x.z | 0](d.pairs(d.hold({}), v)),
  O: (d, v, x) => FREEZE[x.z | 0](d.pairs(d.hold(create(null)), v)),
  M: (d, v) => {
    const m = d.hold(new Map());
    for (let i = 0; i + 1 < v.length; i += 2) m.set(d.value(v[i]), d.value(v[i + 1]));
    return m;
  },
  S: (d, v) => {
    const s = d.hold(new Set());
    for (const x of v) s.add(d.value(x));
    return s;
  },
  D: (d, v) => d.hold(new Date(d.value(v))),
  X: (d, v) => d.hold(regexp(v)),
  B: (d, v) => d.hold(unbase(v)),
  T: (d, v) => d.hold(v[0] === 'Buffer' ? from(v[1], 'base64') : new TYPED[v[0]](unbase(v[1]))),
  P: (d, v) => d.hold(Object(d.value(v))),
  E: makeError,
}));

module.exports = { Channel, Encoder, Decoder, Unsendable, Gone, ERRORS, own, put, big, frost };
