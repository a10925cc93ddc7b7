'use strict';
// expect(value) with the matchers of Jest that tests mostly use. A failed one throws assert's AssertionError.
const assert = require('assert');
const { isDeepStrictEqual } = require('util');

function expect(actual) {
  return matchers(actual, false);
}

function matchers(actual, not) {
  const m = {};
  for (const [name, f] of Object.entries(CHECKS)) {
    m[name] = (...expected) => verdict(f(actual, ...expected), not, name, actual, expected);
  }
  const late = (pick) => new Proxy({}, {
    get: (_, name) => (name === 'not' ? lateNot(pick, actual) : async (...e) => matchers(await pick(actual), not)[name](...e)),
  });
  m.resolves = late((p) => p);
  m.rejects = late(rejection);
  if (!not) m.not = matchers(actual, true);
  return m;
}

const lateNot = (pick, actual) => new Proxy({}, { get: (_, name) => async (...e) => matchers(await pick(actual), true)[name](...e) });

async function rejection(p) {
  try {
    await (typeof p === 'function' ? p() : p);
  } catch (e) {
    return new Rejected(e);
  }
  throw new assert.AssertionError({ message: 'the promise was not rejected', operator: 'rejects' });
}

// What a rejected promise was rejected with, so that toThrow can be asked of it too.
class Rejected {
  constructor(error) {
    this.error = error;
  }
}

function verdict(ok, not, operator, actual, expected) {
  if (Boolean(ok) === not) throw new assert.AssertionError({ message: `expect: ${not ? 'not ' : ''}${operator}`, operator, actual: undefined, expected: undefined });
}

const plain = (v) => (v instanceof Rejected ? v.error : v);
const equal = (a, b) => (b !== null && typeof b === 'object' && b[MATCHER] ? b[MATCHER](a) : loose(plain(a), b));
const MATCHER = Symbol('matcher');

// Recursive equality that takes undefined properties for absent ones and looks at no prototypes; asymmetric matchers decide for themselves.
function loose(a, b) {
  if (b !== null && typeof b === 'object' && b[MATCHER]) return b[MATCHER](a);
  if (Object.is(a, b)) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  const kinds = [Date, RegExp, Map, Set, Error, ArrayBuffer];
  if (kinds.some((c) => a instanceof c || b instanceof c) || ArrayBuffer.isView(a) || ArrayBuffer.isView(b)) return same(a, b);
  if (Array.isArray(a) && a.length !== b.length) return false;
  const keys = (o) => Reflect.ownKeys(o).filter((k) => o[k] !== undefined && Object.getOwnPropertyDescriptor(o, k).enumerable);
  const ka = keys(a), kb = keys(b);
  return ka.length === kb.length && kb.every((k) => loose(a[k], b[k]));
}

function same(a, b) {
  if (a instanceof Error && b instanceof Error) return a.message === b.message;
  if (a instanceof Map && b instanceof Map) return a.size === b.size && [...b].every(([k, v]) => a.has(k) ? loose(a.get(k), v) : [...a].some(([x, y]) => loose(x, k) && loose(y, v)));
  if (a instanceof Set && b instanceof Set) return a.size === b.size && [...b].every((v) => a.has(v) || [...a].some((x) => loose(x, v)));
  return isDeepStrictEqual(a, b);
}

function matchObject(a, b) {
  if (b === null || typeof b !== 'object' || b[MATCHER]) return loose(a, b);
  if (Array.isArray(b)) return Array.isArray(a) && a.length === b.length && b.every((x, i) => matchObject(a[i], x));
  return a !== null && typeof a === 'object' && Object.keys(b).every((k) => k in a && matchObject(a[k], b[k]));
}

function property(o, path, ...value) {
  const keys = Array.isArray(path) ? path : String(path).split(/[.[\]]+/).filter(Boolean);
  let v = o;
  for (const k of keys) {
    if (v === null || v === undefined || !(k in Object(v))) return false;
    v = v[k];
  }
  return value.length === 0 || loose(v, value[0]);
}

function throws(f, expected) {
  let e;
  if (f instanceof Rejected) e = f.error;
  else {
    try {
      f();
      return false;
    } catch (x) {
      e = x;
    }
  }
  if (expected === undefined) return true;
  const message = e !== null && typeof e === 'object' ? String(e.message) : String(e);
  if (typeof expected === 'string') return message.includes(expected);
  if (expected instanceof RegExp) return expected.test(message);
  if (typeof expected === 'function') return e instanceof expected;
  return message === expected.message;
}

const kindMatches = (v, c) => v instanceof c || { String: 'string', Number: 'number', Boolean: 'boolean', Function: 'function', Symbol: 'symbol', BigInt: 'bigint', Object: 'object' }[c.name] === typeof v;
const calls = (f) => f.mock.calls.map((c) => (Array.isArray(c) ? c : c.arguments));

const CHECKS = {
  toBe: (a, b) => Object.is(plain(a), b),
  toEqual: (a, b) => equal(a, b),
  toStrictEqual: (a, b) => isDeepStrictEqual(plain(a), b),
  toBeTruthy: (a) => a, toBeFalsy: (a) => !a, toBeNull: (a) => a === null, toBeUndefined: (a) => a === undefined, toBeDefined: (a) => a !== undefined,
  toBeNaN: (a) => Number.isNaN(a), toBeInstanceOf: (a, c) => plain(a) instanceof c,
  toBeGreaterThan: (a, b) => a > b, toBeGreaterThanOrEqual: (a, b) => a >= b, toBeLessThan: (a, b) => a < b, toBeLessThanOrEqual: (a, b) => a <= b,
  toBeCloseTo: (a, b, digits = 2) => a === b || Math.abs(a - b) < 10 ** -digits / 2,
  toContain: (a, b) => (typeof a === 'string' ? a.includes(b) : [...a].includes(b)),
  toContainEqual: (a, b) => [...a].some((x) => loose(x, b)),
  toHaveLength: (a, n) => a.length === n,
  toHaveProperty: property,
  toMatch: (a, b) => typeof a === 'string' && (b instanceof RegExp ? b.test(a) : a.includes(b)),
  toMatchObject: (a, b) => matchObject(plain(a), b),
  toThrow: throws, toThrowError: throws,
  toHaveBeenCalled: (f) => calls(f).length > 0,
  toHaveBeenCalledTimes: (f, n) => calls(f).length === n,
  toHaveBeenCalledWith: (f, ...a) => calls(f).some((c) => loose(c, a)),
};

const matcher = (f) => ({ [MATCHER]: f });
Object.assign(expect, {
  anything: () => matcher((v) => v !== null && v !== undefined),
  any: (c) => matcher((v) => kindMatches(v, c)),
  objectContaining: (o) => matcher((v) => matchObject(v, o)),
  arrayContaining: (l) => matcher((v) => Array.isArray(v) && l.every((x) => v.some((y) => loose(y, x)))),
  stringContaining: (s) => matcher((v) => typeof v === 'string' && v.includes(s)),
  stringMatching: (r) => matcher((v) => typeof v === 'string' && new RegExp(r).test(v)),
  closeTo: (n, d = 2) => matcher((v) => CHECKS.toBeCloseTo(v, n, d)),
});

module.exports = { expect };
