// Errors with Node's codes and texts, and what the other files share.
(function (host, modules) {
  'use strict';

  const ERRNO = { EPERM: 1, ENOENT: 2, EBADF: 9, EAGAIN: 11, EACCES: 13, EEXIST: 17, EXDEV: 18, ENOTDIR: 20, EISDIR: 21, EINVAL: 22, EMFILE: 24,
    ENOSPC: 28, EROFS: 30, EPIPE: 32, ENOSYS: 38, ENOTEMPTY: 39, EIO: 5 }; // Linux's, as a program elsewhere sees them

  function coded(Class, code, message) {
    const e = new Class(message);
    Object.defineProperty(e, 'code', { value: code, writable: true, enumerable: true, configurable: true });
    const name = e.name;
    Object.defineProperty(e, 'stack', { value: `${name} [${code}]: ${message}\n${e.stack}`, writable: true, configurable: true });
    return e;
  }

  // system makes the error of a failed call; n is what host answered.
  function system(n, call, path, dest) {
    const [code, text] = host.error(n);
    let message = `${code}: ${text.toLowerCase()}, ${call}`;
    if (path !== undefined) message += ` '${path}'`;
    if (dest !== undefined) message += ` -> '${dest}'`;
    const e = new Error(message);
    e.errno = -(ERRNO[code] || 5);
    e.code = code;
    e.syscall = call;
    if (path !== undefined) e.path = path;
    if (dest !== undefined) e.dest = dest;
    return e;
  }

  // checked passes on what host answered, and throws where that is a negative errno.
  function checked(n, call, path, dest) {
    if (typeof n === 'number' && n < 0) throw system(n, call, path, dest);
    return n;
  }

  function described(value) {
    if (value === null || value === undefined) return ` Received ${value}`;
    if (typeof value === 'function') return ` Received function ${value.name}`;
    if (typeof value === 'object') {
      const name = value.constructor && value.constructor.name;
      return name ? ` Received an instance of ${name}` : ` Received ${modules.util.inspect(value, { depth: -1 })}`;
    }
    let text = modules.util.inspect(value);
    if (text.length > 28) text = text.slice(0, 25) + '...';
    return ` Received type ${typeof value} (${text})`;
  }

  function badType(name, expected, value) {
    const kind = name.includes('.') ? 'property' : 'argument';
    return coded(TypeError, 'ERR_INVALID_ARG_TYPE', `The "${name}" ${kind} must be ${expected}.${described(value)}`);
  }

  function unsupported(what) {
    return coded(Error, 'ERR_FEATURE_UNAVAILABLE_ON_PLATFORM', `${what} is not supported in the WebAssembly sandbox`);
  }

  Object.defineProperty(modules, 'internal', { value: { coded, system, checked, badType, unsupported }, enumerable: false });
})
