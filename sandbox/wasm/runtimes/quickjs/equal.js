// Comparing values: util.isDeepStrictEqual, util.types, and the assert module.
(function (host, modules) {
  'use strict';

  const { coded, badType } = modules.internal;
  const { inspect } = modules.util;
  const kindOf = (v) => (typeof v === 'object' || typeof v === 'function') && v !== null ? host.look(v)[0] : undefined;
  const is = (...kinds) => (v) => kinds.includes(kindOf(v));
  const TYPED = ['Int8Array', 'Uint8Array', 'Uint8ClampedArray', 'Int16Array', 'Uint16Array', 'Int32Array', 'Uint32Array', 'Float16Array', 'Float32Array', 'Float64Array',
    'BigInt64Array', 'BigUint64Array'];
  const tagOf = (v) => Object.prototype.toString.call(v);

  const types = {
    isAnyArrayBuffer: is('ArrayBuffer', 'SharedArrayBuffer'), isArgumentsObject: is('Arguments'), isArrayBuffer: is('ArrayBuffer'),
    isArrayBufferView: (v) => ArrayBuffer.isView(v), isAsyncFunction: (v) => typeof v === 'function' && /^\[object Async(Generator)?Function\]$/.test(tagOf(v)),
    isBigInt64Array: is('BigInt64Array'), isBigIntObject: is('BigInt'), isBigUint64Array: is('BigUint64Array'), isBooleanObject: is('Boolean'),
    isBoxedPrimitive: is('Number', 'String', 'Boolean', 'BigInt', 'Symbol'), isDataView: is('DataView'), isDate: is('Date'), isExternal: () => false,
    isFloat32Array: is('Float32Array'), isFloat64Array: is('Float64Array'),
    isGeneratorFunction: (v) => typeof v === 'function' && /^\[object (Async)?GeneratorFunction\]$/.test(tagOf(v)),
    isGeneratorObject: is('Generator', 'AsyncGenerator'), isInt16Array: is('Int16Array'), isInt32Array: is('Int32Array'), isInt8Array: is('Int8Array'), isMap: is('Map'),
    isMapIterator: is('Map Iterator'), isModuleNamespaceObject: is('Module'), isNativeError: is('Error'), isNumberObject: is('Number'), isPromise: is('Promise'),
    isProxy: (v) => {
      const look = v !== null && (typeof v === 'object' || typeof v === 'function') ? host.look(v) : [];
      return look[1] !== undefined && look[1] !== null && typeof look[1] !== 'number';
    },
    isRegExp: is('RegExp'), isSet: is('Set'), isSetIterator: is('Set Iterator'), isSharedArrayBuffer: is('SharedArrayBuffer'), isStringObject: is('String'),
    isSymbolObject: is('Symbol'), isTypedArray: is(...TYPED), isUint16Array: is('Uint16Array'), isUint32Array: is('Uint32Array'), isUint8Array: is('Uint8Array'),
    isUint8ClampedArray: is('Uint8ClampedArray'), isWeakMap: is('WeakMap'), isWeakSet: is('WeakSet'),
  };

  // equal compares two values deeply; strict asks for the same types, prototypes and signs of zero, otherwise primitives by ==. Pairs under comparison are
  // taken as equal, so cycles end.
  function equal(a, b, strict, pairs = new Map()) {
    if (a === b) return a !== 0 || !strict || Object.is(a, b);
    const objects = typeof a === 'object' && a !== null && typeof b === 'object' && b !== null;
    if (!objects) {
      if (strict) return Number.isNaN(a) && Number.isNaN(b);
      if (typeof a === 'object' && a !== null || typeof b === 'object' && b !== null || typeof a === 'function' || typeof b === 'function') return false;
      return a == b || (a !== a && b !== b); // eslint-disable-line eqeqeq
    }
    if (strict && Object.getPrototypeOf(a) !== Object.getPrototypeOf(b)) return false;
    const kind = kindOf(a);
    if (kind !== kindOf(b) || Array.isArray(a) !== Array.isArray(b) || (strict && tagOf(a) !== tagOf(b))) return false;
    if (pairs.get(a) === b) return true;
    pairs.set(a, b);
    const answer = sameInside(a, b, kind, strict, pairs) && sameKeys(a, b, kind, strict, pairs);
    pairs.delete(a);
    return answer;
  }

  function sameInside(a, b, kind, strict, pairs) {
    switch (kind) {
      case 'Date': return Object.is(Date.prototype.getTime.call(a), Date.prototype.getTime.call(b));
      case 'RegExp': return String(a) === String(b) && a.lastIndex === b.lastIndex;
      case 'Number': case 'String': case 'Boolean': case 'BigInt': case 'Symbol': return Object.is(a.valueOf(), b.valueOf());
      case 'Error': return a.message === b.message && a.name === b.name && equal(a.cause, b.cause, strict, pairs) && equal(a.errors, b.errors, strict, pairs);
      case 'ArrayBuffer': case 'SharedArrayBuffer': return sameNumbers(new Uint8Array(a), new Uint8Array(b), strict);
      case 'Set': return sameSet(a, b, strict, pairs);
      case 'Map': return sameMap(a, b, strict, pairs);
      case 'Promise': case 'WeakMap': case 'WeakSet': case 'WeakRef': return false;
    }
    if (Array.isArray(a)) return a.length === b.length;
    return TYPED.includes(kind) ? sameNumbers(a, b, strict) : true;
  }

  function sameNumbers(a, b, strict) {
    if (a.length !== b.length) return false;
    for (let i = 0; i < a.length; i++) if (strict ? !Object.is(a[i], b[i]) : a[i] !== b[i] && !(a[i] !== a[i] && b[i] !== b[i])) return false;
    return true;
  }

  function sameSet(a, b, strict, pairs) {
    if (a.size !== b.size) return false;
    const left = [...b];
    const rest = [...a].filter((x) => !(b.has(x) && (left.splice(left.indexOf(x) >= 0 ? left.indexOf(x) : left.findIndex((y) => y !== y), 1), true)));
    return rest.every((x) => {
      const i = left.findIndex((y) => equal(x, y, strict, pairs));
      return i >= 0 && left.splice(i, 1).length === 1;
    });
  }

  function sameMap(a, b, strict, pairs) {
    if (a.size !== b.size) return false;
    const left = [...b];
    return [...a].every(([k, v]) => {
      if (b.has(k)) {
        const i = left.findIndex(([l]) => l === k || (l !== l && k !== k));
        return equal(v, b.get(k), strict, pairs) && i >= 0 && left.splice(i, 1).length === 1;
      }
      const i = left.findIndex(([l, w]) => equal(k, l, strict, pairs) && equal(v, w, strict, pairs));
      return i >= 0 && left.splice(i, 1).length === 1;
    });
  }

  function keysOf(v, kind, strict) {
    let keys = Object.keys(v);
    if (TYPED.includes(kind)) keys = keys.filter((k) => !/^\d+$/.test(k));
    if (strict) keys.push(...Object.getOwnPropertySymbols(v).filter((s) => Object.prototype.propertyIsEnumerable.call(v, s)));
    return keys;
  }

  function sameKeys(a, b, kind, strict, pairs) {
    const keys = keysOf(a, kind, strict);
    if (keys.length !== keysOf(b, kind, strict).length) return false;
    return keys.every((k) => Object.prototype.propertyIsEnumerable.call(b, k) && equal(a[k], b[k], strict, pairs));
  }

  const isDeepStrictEqual = (a, b) => equal(a, b, true);

  const HEADS = {
    strictEqual: 'Expected values to be strictly equal:', deepStrictEqual: 'Expected values to be strictly deep-equal:',
    deepEqual: 'Expected values to be loosely deep-equal:', notStrictEqual: 'Expected "actual" to be strictly unequal to:',
    notDeepStrictEqual: 'Expected "actual" not to be strictly deep-equal to:', notDeepEqual: 'Expected "actual" not to be loosely deep-equal to:',
  };

  function messageFor(operator, actual, expected) {
    const a = inspect(actual, { depth: 1000, sorted: true }), b = inspect(expected, { depth: 1000, sorted: true });
    if (operator === '==' || operator === '!=') return `${a} ${operator} ${b}`;
    if (operator === 'notStrictEqual' || operator.startsWith('notDeep')) return `${HEADS[operator]}${b.includes('\n') ? '\n\n' : ' '}${b}`;
    if (operator === 'strictEqual' && !a.includes('\n') && !b.includes('\n') && a.length + b.length < 72) return `${HEADS[operator]}\n\n${a} !== ${b}\n`;
    if (operator === 'deepEqual') return `${HEADS[operator]}\n\n${a}\n\nshould loosely deep-equal\n\n${b}`;
    const minus = b.split('\n').map((l) => `- ${l}`).join('\n'), plus = a.split('\n').map((l) => `+ ${l}`).join('\n');
    return `${HEADS[operator]}\n+ actual - expected\n\n${plus}\n${minus}`;
  }

  class AssertionError extends Error {
    constructor(options) {
      if (typeof options !== 'object' || options === null) throw badType('options', 'of type object', options);
      const { message, actual, expected, operator } = options;
      super(message !== undefined ? String(message) : messageFor(operator, actual, expected));
      this.generatedMessage = message === undefined;
      Object.defineProperty(this, 'name', { value: 'AssertionError', enumerable: false, writable: true, configurable: true });
      this.code = 'ERR_ASSERTION';
      this.actual = actual;
      this.expected = expected;
      this.operator = operator;
      Object.defineProperty(this, 'stack', { value: `AssertionError [ERR_ASSERTION]: ${this.message}\n${this.stack}`, writable: true, configurable: true });
    }
    toString() { return `${this.name} [${this.code}]: ${this.message}`; }
  }

  function failed(message, actual, expected, operator, generated) {
    if (message instanceof Error) throw message;
    const e = new AssertionError({ message: message === undefined && generated !== undefined ? generated : message, actual, expected, operator });
    e.generatedMessage = message === undefined;
    throw e;
  }

  function ok(...args) {
    if (args.length === 0) failed(undefined, undefined, true, '==', 'No value argument passed to `assert.ok()`');
    if (!args[0]) failed(args[1], args[0], true, '==', 'The expression evaluated to a falsy value:\n\n  assert.ok(' + inspect(args[0]) + ')\n');
  }

  function assert(...args) { ok(...args); }

  const compare = (operator, test) => function (actual, expected, message) {
    if (arguments.length < 2) throw coded(TypeError, 'ERR_MISSING_ARGS', 'The "actual" and "expected" arguments must be specified');
    if (!test(actual, expected)) failed(message, actual, expected, operator);
  };
  const loose = (a, b) => a == b || (a !== a && b !== b); // eslint-disable-line eqeqeq

  // matches decides whether an error is the one that throws() or rejects() was told to expect.
  function matches(error, expected, message, operator) {
    if (expected === undefined) return;
    if (typeof expected === 'function') {
      if (expected.prototype !== undefined && error instanceof expected) return;
      if (expected === Error || Error.prototype.isPrototypeOf(expected.prototype)) throw error;
      if (expected.call({}, error) === true) return;
      failed(message, error, expected, operator, `The ${expected.name ? `"${expected.name}" ` : ''}validation function is expected to return "true".`);
    }
    if (kindOf(expected) === 'RegExp') {
      if (expected.test(String(error))) return;
      failed(message, error, expected, operator, `The input did not match the regular expression ${inspect(expected)}. Input:\n\n${inspect(String(error))}\n`);
    }
    const keys = Object.keys(expected);
    if (expected instanceof Error) keys.push('name', 'message');
    for (const k of keys) {
      if (typeof error[k] === 'string' && kindOf(expected[k]) === 'RegExp' ? expected[k].test(error[k]) : k in error && equal(error[k], expected[k], true)) continue;
      failed(message, error, expected, operator, messageFor('deepStrictEqual', error[k], expected[k]));
    }
  }

  const split = (expected, message) => (typeof expected === 'string' ? [undefined, expected] : [expected, message]);
  const NONE = Symbol('none');

  function thrown(f) {
    if (typeof f !== 'function') throw badType('fn', 'of type function', f);
    try { f(); } catch (e) { return e; }
    return NONE;
  }

  async function settled(p) {
    if (typeof p === 'function') p = p();
    else if (p === null || typeof p !== 'object' || typeof p.then !== 'function') throw badType('promiseFn', 'of type function or an instance of Promise', p);
    try { await p; } catch (e) { return e; }
    return NONE;
  }

  function expectThrow(error, expected, message, operator) {
    [expected, message] = split(expected, message);
    if (error === NONE) {
      const what = expected && expected.name ? ` (${expected.name})` : '';
      failed(undefined, undefined, expected, operator, `Missing expected ${operator === 'rejects' ? 'rejection' : 'exception'}${what}${message ? `: ${message}` : '.'}`);
    }
    matches(error, expected, message, operator);
  }

  function expectNone(error, expected, message, operator) {
    [expected, message] = split(expected, message);
    if (error === NONE) return;
    const kind = operator === 'doesNotReject' ? 'rejection' : 'exception';
    failed(undefined, error, expected, operator, `Got unwanted ${kind}${message ? `: ${message}` : '.'}\nActual message: "${error && error.message}"`);
  }

  Object.assign(assert, {
    ok, AssertionError, equal: compare('==', loose), notEqual: compare('!=', (a, b) => !loose(a, b)),
    strictEqual: compare('strictEqual', Object.is), notStrictEqual: compare('notStrictEqual', (a, b) => !Object.is(a, b)),
    deepEqual: compare('deepEqual', (a, b) => equal(a, b, false)), notDeepEqual: compare('notDeepEqual', (a, b) => !equal(a, b, false)),
    deepStrictEqual: compare('deepStrictEqual', (a, b) => equal(a, b, true)), notDeepStrictEqual: compare('notDeepStrictEqual', (a, b) => !equal(a, b, true)),
    throws(f, expected, message) { expectThrow(thrown(f), expected, message, 'throws'); },
    doesNotThrow(f, expected, message) { expectNone(thrown(f), expected, message, 'doesNotThrow'); },
    async rejects(p, expected, message) { expectThrow(await settled(p), expected, message, 'rejects'); },
    async doesNotReject(p, expected, message) { expectNone(await settled(p), expected, message, 'doesNotReject'); },
    fail(message) { failed(message, undefined, undefined, 'fail', 'Failed'); },
    ifError(v) {
      if (v !== null && v !== undefined) failed(undefined, v, null, 'ifError', `ifError got unwanted exception: ${v.message === undefined ? inspect(v) : v.message}`);
    },
    match(s, re, message) {
      if (typeof s !== 'string' || !re.test(s)) failed(message, s, re, 'match', `The input did not match the regular expression ${inspect(re)}. Input:\n\n${inspect(s)}\n`);
    },
    doesNotMatch(s, re, message) {
      if (typeof s === 'string' && re.test(s)) failed(message, s, re, 'doesNotMatch', `The input was expected to not match the regular expression ${inspect(re)}. Input:\n\n${inspect(s)}\n`);
    },
  });
  const strict = Object.assign((...args) => ok(...args), assert, {
    equal: assert.strictEqual, notEqual: assert.notStrictEqual, deepEqual: assert.deepStrictEqual, notDeepEqual: assert.notDeepStrictEqual,
  });
  strict.strict = assert.strict = strict;
  modules.assert = assert;
  modules['assert/strict'] = strict;
  Object.assign(modules.util, { types, isDeepStrictEqual });
  modules['util/types'] = types;
})
