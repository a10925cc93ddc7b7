'use strict';
// Mirrors: objects of the other side, as they look on this one. An operation on a mirror becomes a request to its owner.
//
// The target behind a mirror is empty and open, so that the language's invariants for proxies ask for nothing; property
// descriptors are therefore always configurable. What the prototype of a mirror is was asked once and is kept.
function handler(peer, self) {
  let proto;
  const ask = (op, ...args) => peer.ask(op, self.mirror, args);
  const getProto = () => (proto === undefined ? (proto = ask('proto')) : proto);
  return {
    apply: (_, that, args) => ask('call', that, ...args),
    construct: (_, args, made) => {
      if (made !== self.mirror) throw new TypeError('a class of the program cannot be derived from here');
      return ask('new', ...args);
    },
    get: (_, key) => ask('get', key),
    set: (_, key, v) => ask('set', key, v),
    has: (_, key) => ask('has', key),
    deleteProperty: (_, key) => ask('delete', key),
    ownKeys: (target) => [...new Set([...ask('keys'), ...Reflect.ownKeys(target).filter((k) => !Reflect.getOwnPropertyDescriptor(target, k).configurable)])],
    getOwnPropertyDescriptor: (target, key) => described(target, key, ask('own', key)),
    defineProperty: (_, key, d) => 'value' in d && ask('set', key, d.value),
    getPrototypeOf: getProto,
    setPrototypeOf: () => false,
    preventExtensions: () => false,
  };
}

function described(target, key, told) {
  const fixed = Reflect.getOwnPropertyDescriptor(target, key);
  if (fixed && !fixed.configurable) return fixed.writable && told ? { ...fixed, value: told[1] } : fixed;
  return told ? { value: told[1], enumerable: told[0], writable: true, configurable: true } : undefined;
}

// mirrorOf makes the mirror of a function or of any other object.
function mirrorOf(peer, x) {
  const self = {};
  self.mirror = new Proxy(x.k === 'f' ? function () {} : {}, handler(peer, self));
  return self.mirror;
}

module.exports = { mirrorOf };
