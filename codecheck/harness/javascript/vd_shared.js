'use strict';
// Containers that both sides hold: an array passed as an argument, a map read from a property.
//
// In one process there would be one object. Here each side has its own, under a common key, and before every message a side
// looks whether its own has changed since it was last sent, and sends the new content along. Only the latest few are
// followed, and large ones for one call only. An array of plain immutable things has not changed where it holds the very same
// values, which is quickly seen; others are encoded to find out.
const { Encoder, Decoder, Unsendable, put } = require('vd_wire');

const SHARED_TEXT = 20_000; // length of the wire form of a container that is followed after the call that it was passed to
const SHARED_KEPT = 24; // containers followed at once; chosen by feel, tests look at their latest few
const { isArray } = Array;
const { is, getPrototypeOf } = Object;
const { stringify, parse } = JSON;
const isView = ArrayBuffer.isView;

// The kind of a container that can change in place; '' of anything else.
function kindOf(v) {
  if (typeof v !== 'object' || v === null) return '';
  const proto = getPrototypeOf(v);
  if (proto === Object.prototype || proto === null) return 'object';
  if (isArray(v)) return proto === Array.prototype ? 'array' : '';
  return proto === Map.prototype ? 'map' : proto === Set.prototype ? 'set' : isView(v) && proto !== DataView.prototype ? 'bytes' : '';
}

const atom = (v) => v === null || (typeof v !== 'object' && typeof v !== 'function');

// The part of a peer that keeps shared containers alike. side makes the two sides' keys differ.
class Sharing {
  constructor(side) {
    this.side = side;
    this.shared = new Map(); // key: [object, last state]
    this.keyOf = new Map();
    this.nextKey = 0;
  }

  // An argument or result: a container on its own is followed, so that changes on either side reach the other.
  share(enc, v) {
    const kind = kindOf(v);
    const form = enc.value(v);
    if (!kind || !follows(form)) return form;
    let key = this.keyOf.get(v);
    if (key === undefined) key = ++this.nextKey * 2 + this.side;
    this.follow(key, v);
    return { k: key, v: form };
  }

  // What tells later whether v has changed: the values in it, or the text of its wire form.
  state(v) {
    if (isArray(v) && v.length < 100_000 && v.every(atom)) return v.slice();
    return stringify(new Encoder(this.lend).value(v));
  }

  follow(key, v) {
    const state = this.state(v);
    this.forget(key);
    this.shared.set(key, [v, state]);
    this.keyOf.set(v, key);
    if (this.shared.size > SHARED_KEPT) this.forget(this.shared.keys().next().value);
  }

  forget(key) {
    const old = this.shared.get(key);
    if (!old) return;
    this.shared.delete(key);
    this.keyOf.delete(old[0]);
  }

  changes() {
    const out = [];
    for (const [key, entry] of [...this.shared]) {
      const [v, state] = entry;
      if (isArray(state) && state.length === v.length && state.every((x, i) => is(x, v[i]))) continue;
      try {
        const text = stringify(new Encoder(this.lend).value(v));
        if (text === state) continue;
        entry[1] = this.state(v);
        out.push([key, parse(text)]);
      } catch (e) {
        if (!(e instanceof Unsendable)) throw e;
        this.forget(key);
      }
    }
    return out;
  }

  // Containers that would cost too much to follow are followed for one call only.
  dropLarge() {
    for (const [key, [, state]] of [...this.shared]) {
      if (state.length > (isArray(state) ? SHARED_TEXT / 4 : SHARED_TEXT)) this.forget(key);
    }
  }

  receiveShared(key, fresh) {
    const entry = this.shared.get(key);
    if (entry && kindOf(entry[0]) === kindOf(fresh)) {
      merge(entry[0], fresh);
      fresh = entry[0];
    }
    if (kindOf(fresh)) this.follow(key, fresh);
    return fresh;
  }

  settle(msg) {
    for (const [key, form] of msg.s || []) {
      const entry = this.shared.get(key);
      if (!entry) continue;
      const fresh = new Decoder(this.borrow).value(form);
      if (kindOf(fresh) !== kindOf(entry[0])) continue;
      merge(entry[0], fresh);
      entry[1] = this.state(entry[0]);
    }
  }
}

// follows reports whether a wire form is a container's own, not a reference or something lent.
function follows(form) {
  if (isArray(form)) return true;
  for (const k in form) return k.length === 1 && 'aoOMST'.includes(k);
  return false;
}

// keep gives the old inner container made equal to the new one, where both are of a kind.
function keep(old, fresh, depth) {
  const kind = kindOf(old);
  if (!kind || kind !== kindOf(fresh) || depth > 20) return fresh;
  merge(old, fresh, depth + 1);
  return old;
}

// merge makes old equal to fresh in place, keeping the identity of inner containers that stand at the same places.
function merge(old, fresh, depth = 0) {
  if (old === fresh) return;
  if (old instanceof Map) {
    const pairs = [...fresh].map(([k, v]) => [k, keep(old.get(k), v, depth)]);
    old.clear();
    for (const [k, v] of pairs) old.set(k, v);
  } else if (old instanceof Set) {
    old.clear();
    for (const v of fresh) old.add(v);
  } else if (isView(old)) {
    if (old.length === fresh.length) old.set(fresh);
  } else mergeKeys(old, fresh, depth);
}

function mergeKeys(old, fresh, depth) {
  const keys = Object.keys(fresh), have = new Set(keys);
  try {
    if (isArray(old)) old.length = fresh.length;
    for (const k of Object.keys(old)) if (!have.has(k)) delete old[k];
    if (!isArray(old) && Object.keys(old).some((k, i) => k !== keys[i])) { // another order: made anew
      const held = new Map(Object.keys(old).map((k) => [k, old[k]]));
      for (const k of held.keys()) delete old[k];
      for (const k of keys) put(old, k, keep(held.get(k), fresh[k], depth));
    } else {
      for (const k of keys) put(old, k, keep(Object.hasOwn(old, k) ? old[k] : undefined, fresh[k], depth));
    }
  } catch {
    // frozen on this side: nothing of it can change
  }
  Object.isFrozen(fresh) ? Object.freeze(old) : Object.isSealed(fresh) ? Object.seal(old) : 0;
}

module.exports = { Sharing };
