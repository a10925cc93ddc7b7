'use strict';
// The objects that every Node process has of its own, by name: one side may name them to the other, and each means its own. So a
// class of errors or Array.prototype is never lent, and what stands behind a constructor property is the asker's own.
const INTRINSICS = new Map(), NAMED = new Map();

function add(name, v) {
  if ((typeof v !== 'object' && typeof v !== 'function') || v === null || NAMED.has(v)) return;
  INTRINSICS.set(name, v);
  NAMED.set(v, name);
  if (name.split('.').length > 6) return;
  for (const k of Reflect.ownKeys(v)) {
    const d = Object.getOwnPropertyDescriptor(v, k);
    const path = `${name}.${String(k)}`;
    if ('value' in d) add(path, d.value);
    else {
      add(`${path}.get`, d.get);
      add(`${path}.set`, d.set);
    }
  }
  add(`${name}.proto`, Object.getPrototypeOf(v));
}

const ROOTS = `Function Object Array Number Boolean String Symbol BigInt Error EvalError RangeError ReferenceError SyntaxError TypeError
URIError AggregateError Promise Map Set WeakMap WeakSet WeakRef Date RegExp Math JSON Reflect Proxy Iterator ArrayBuffer SharedArrayBuffer DataView
Int8Array Uint8Array Uint8ClampedArray Int16Array Uint16Array Int32Array Uint32Array Float32Array Float64Array BigInt64Array BigUint64Array
Intl Atomics parseInt parseFloat isNaN isFinite encodeURIComponent decodeURIComponent encodeURI decodeURI escape unescape eval Buffer`;
for (const name of ROOTS.split(/\s+/)) if (name in globalThis) add(name, globalThis[name]);
const KINDS = { async: async () => {}, generator: function* () {}, asyncGenerator: async function* () {} };
for (const [name, f] of Object.entries(KINDS)) {
  add(name, Object.getPrototypeOf(f));
  add(`${name}.constructor`, Object.getPrototypeOf(f).constructor);
}
for (const [name, v] of Object.entries({ arrays: [][Symbol.iterator](), maps: new Map().entries(), sets: new Set().values(), texts: ''[Symbol.iterator](), matches: 'a'.matchAll(/a/g) })) {
  add(`iterator.${name}`, Object.getPrototypeOf(v));
}

// Methods that work only on objects with inner state of their kind; on a mirror they are called where its object is.
const STATE = /^((Map|Set|WeakMap|WeakSet|WeakRef|Date|RegExp|Promise|ArrayBuffer|SharedArrayBuffer|DataView|Number|String|Boolean|BigInt|Buffer|\w+Array)\.(prototype|proto)|generator|asyncGenerator|iterator|Function\.prototype\.toString$)/;
const STATEFUL = new Set([...NAMED].filter(([v, name]) => typeof v === 'function' && STATE.test(name)).map(([v]) => v));

module.exports = { STATEFUL, INTRINSICS, NAMED };
