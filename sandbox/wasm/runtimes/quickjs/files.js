// path and fs, on the folder that the host shows.
(function (host, modules) {
  'use strict';

  const { coded, system, checked, badType, viewOf, joined, bytesOf, textOf, wrap } = modules.internal;

  function tidy(path, absolute) {
    const out = [];
    for (const part of path.split('/')) {
      if (part === '' || part === '.') continue;
      if (part === '..' && (absolute || (out.length > 0 && out.at(-1) !== '..'))) out.pop();
      else out.push(part);
    }
    return out.join('/');
  }

  const text = (name, v) => {
    if (typeof v !== 'string') throw badType(name, 'of type string', v);
    return v;
  };

  const path = {
    sep: '/', delimiter: ':',
    isAbsolute: (p) => text('path', p).startsWith('/'),
    normalize(p) {
      if (text('path', p) === '') return '.';
      const absolute = p.startsWith('/'), body = tidy(p, absolute) || (absolute ? '' : '.');
      return (absolute ? '/' : '') + body + (p.endsWith('/') && body !== '' ? '/' : '');
    },
    join(...parts) {
      const all = parts.map((p) => text('path', p)).filter((p) => p !== '').join('/');
      return all === '' ? '.' : path.normalize(all);
    },
    resolve(...parts) {
      let p = '';
      for (let i = parts.length - 1; i >= 0 && !p.startsWith('/'); i--) if (text('path', parts[i]) !== '') p = p === '' ? parts[i] : `${parts[i]}/${p}`;
      if (!p.startsWith('/')) p = `${host.cwd()}/${p}`;
      return '/' + tidy(p, true);
    },
    dirname(p) {
      const cut = text('path', p).replace(/\/+$/, ''), i = cut.lastIndexOf('/');
      return i < 0 ? (cut === '' && p.startsWith('/') ? '/' : '.') : i === 0 ? '/' : cut.slice(0, i);
    },
    basename(p, ext) {
      const name = text('path', p).replace(/\/+$/, '').split('/').pop();
      return ext !== undefined && name !== ext && name.endsWith(ext) ? name.slice(0, -ext.length) : name;
    },
    extname(p) {
      const name = path.basename(p), i = name.lastIndexOf('.');
      return i <= 0 ? '' : name.slice(i);
    },
    relative(from, to) {
      const a = path.resolve(from).split('/').filter(Boolean), b = path.resolve(to).split('/').filter(Boolean);
      while (a.length > 0 && a[0] === b[0]) {
        a.shift();
        b.shift();
      }
      return [...a.map(() => '..'), ...b].join('/');
    },
    parse(p) {
      const base = path.basename(p), ext = path.extname(p), dir = path.dirname(p);
      return { root: p.startsWith('/') ? '/' : '', dir: dir === '.' && !p.includes('/') ? '' : dir, base, ext, name: base.slice(0, base.length - ext.length) };
    },
    format: (o) => `${o.dir || o.root || ''}${o.dir && o.dir !== o.root ? '/' : ''}${o.base || (o.name || '') + (o.ext || '')}`,
    toNamespacedPath: (p) => p,
  };
  path.posix = path;

  const FLAGS = { 'r': 0, 'rs': 0, 'r+': 2, 'w': 1 | 4 | 8, 'wx': 1 | 4 | 8 | 32, 'w+': 2 | 4 | 8, 'wx+': 2 | 4 | 8 | 32, 'a': 1 | 4 | 16, 'ax': 1 | 4 | 16 | 32, 'a+': 2 | 4 | 16 };
  const DEVICES = { '/dev/stdin': 0, '/dev/stdout': 1, '/dev/stderr': 2, '/dev/fd/0': 0, '/dev/fd/1': 1, '/dev/fd/2': 2, '/proc/self/fd/0': 0 };

  function name(p) {
    if (typeof p === 'string') return p;
    if (ArrayBuffer.isView(p)) return textOf(viewOf(p));
    throw badType('path', 'of type string or an instance of Buffer or URL', p);
  }

  const encodingOf = (o) => (typeof o === 'string' ? o : o && o.encoding) || null;
  const flagOf = (o, usual) => (o && typeof o === 'object' && o.flag) || usual;

  function openSync(p, flag = 'r') {
    p = name(p);
    if (Object.hasOwn(DEVICES, p)) return DEVICES[p];
    if (!Object.hasOwn(FLAGS, flag)) throw coded(TypeError, 'ERR_INVALID_ARG_VALUE', `The argument 'flags' is invalid. Received '${flag}'`);
    return checked(host.open(p, FLAGS[flag]), 'open', p);
  }

  function closeSync(fd) { if (fd > 2) checked(host.close(fd), 'close'); }

  function readAll(fd) {
    const parts = [];
    for (;;) {
      const b = checked(host.read(fd, 1 << 16), 'read');
      if (b.byteLength === 0) return parts.length === 1 ? parts[0] : joined(parts);
      parts.push(new Uint8Array(b));
    }
  }

  function readFileSync(p, options) {
    const fd = typeof p === 'number' ? p : openSync(p, flagOf(options, 'r'));
    let bytes;
    try {
      bytes = readAll(fd);
    } finally {
      if (typeof p !== 'number') closeSync(fd);
    }
    const encoding = encodingOf(options);
    return encoding && encoding !== 'buffer' ? textOf(bytes, encoding) : wrap(bytes);
  }

  function writeBytes(fd, data, encoding) {
    if (typeof data === 'string') {
      if (!encoding || /^utf-?8$/i.test(encoding)) return checked(host.write(fd, data.toWellFormed()), 'write');
      data = bytesOf(data, encoding);
    }
    if (!ArrayBuffer.isView(data)) throw badType('data', 'of type string or an instance of Buffer, TypedArray, or DataView', data);
    const bytes = viewOf(data);
    return checked(host.write(fd, bytes.byteLength === bytes.buffer.byteLength ? bytes.buffer : bytes.slice().buffer), 'write');
  }

  function writeFileSync(p, data, options, usual = 'w') {
    const fd = typeof p === 'number' ? p : openSync(p, flagOf(options, usual));
    try {
      writeBytes(fd, data, encodingOf(options));
    } finally {
      if (typeof p !== 'number') closeSync(fd);
    }
  }

  class Stats {
    constructor([mode, size, ms]) {
      Object.assign(this, { dev: 0, mode, nlink: 1, uid: 0, gid: 0, size, blksize: 4096, blocks: Math.ceil(size / 512), atimeMs: ms, mtimeMs: ms, ctimeMs: ms, birthtimeMs: ms,
        atime: new Date(ms), mtime: new Date(ms), ctime: new Date(ms), birthtime: new Date(ms) });
    }
    isFile() { return (this.mode & 0o170000) === 0o100000; }
    isDirectory() { return (this.mode & 0o170000) === 0o040000; }
    isSymbolicLink() { return false; }
    isCharacterDevice() { return (this.mode & 0o170000) === 0o020000; }
    isFIFO() { return false; }
    isSocket() { return false; }
    isBlockDevice() { return false; }
  }

  function statSync(p, options, call = 'stat') {
    const n = host.stat(typeof p === 'number' ? p : name(p));
    if (typeof n !== 'number') return new Stats(n);
    if (options && options.throwIfNoEntry === false && host.error(n)[0] === 'ENOENT') return undefined;
    throw system(n, call, p);
  }

  function existsSync(p) {
    try { return Object.hasOwn(DEVICES, p) || typeof host.stat(name(p)) !== 'number'; } catch { return false; }
  }

  class Dirent {
    constructor(entry, dir) {
      this.name = entry;
      this.path = this.parentPath = dir;
    }
  }
  for (const k of ['isFile', 'isDirectory', 'isSymbolicLink']) Dirent.prototype[k] = function () { return statSync(`${this.path}/${this.name}`)[k](); };

  function readdirSync(p, options) {
    p = name(p);
    const list = checked(host.list(p), 'scandir', p).sort();
    let out = options && options.withFileTypes ? list.map((n) => new Dirent(n, p)) : list;
    if (options && options.recursive) {
      for (const n of list) {
        if (!statSync(`${p}/${n}`).isDirectory()) continue;
        out = out.concat(readdirSync(`${p}/${n}`, options).map((e) => (typeof e === 'string' ? `${n}/${e}` : e)));
      }
    }
    return out;
  }

  function mkdirSync(p, options) {
    p = name(p);
    if (!(options && options.recursive)) {
      checked(host.mkdir(p), 'mkdir', p);
      return undefined;
    }
    let first;
    const parts = path.resolve(p).split('/').filter(Boolean);
    for (let i = 1; i <= parts.length; i++) {
      const q = '/' + parts.slice(0, i).join('/');
      if (existsSync(q)) continue;
      checked(host.mkdir(q), 'mkdir', p);
      first = first || q;
    }
    return first;
  }

  function rmSync(p, options = {}) {
    const st = statSync(p, { throwIfNoEntry: !options.force }, 'rm');
    if (st === undefined) return;
    if (!st.isDirectory()) {
      checked(host.unlink(name(p)), 'unlink', p);
      return;
    }
    if (!options.recursive) throw coded(Error, 'ERR_FS_EISDIR', `Path is a directory: rm returned EISDIR (is a directory) ${p}`);
    for (const n of host.list(name(p))) rmSync(`${p}/${n}`, options);
    checked(host.rmdir(name(p)), 'rmdir', p);
  }

  function readSync(fd, into, offset, length, position) {
    if (offset !== null && typeof offset === 'object') ({ offset, length, position } = offset);
    offset = offset || 0;
    if (length === undefined) length = into.byteLength - offset;
    if (typeof position === 'number' && position >= 0) throw modules.internal.unsupported('reading at a position');
    const b = new Uint8Array(checked(host.read(fd, length), 'read'));
    viewOf(into).set(b, offset);
    return b.length;
  }

  function writeSync(fd, data, offset, length) {
    if (typeof data === 'string') return writeBytes(fd, data, length);
    if (offset !== null && typeof offset === 'object') ({ offset, length } = offset);
    const bytes = viewOf(data);
    return writeBytes(fd, bytes.subarray(offset || 0, length === undefined || length === null ? undefined : (offset || 0) + length));
  }

  const fs = {
    openSync, closeSync, readFileSync, writeFileSync, statSync, existsSync, readdirSync, mkdirSync, rmSync, readSync, writeSync, Stats, Dirent,
    appendFileSync: (p, data, options) => writeFileSync(p, data, options, 'a'),
    lstatSync: (p, options) => statSync(p, options, 'lstat'),
    fstatSync: (fd) => statSync(fd, undefined, 'fstat'),
    unlinkSync: (p) => void checked(host.unlink(name(p)), 'unlink', p),
    rmdirSync: (p, options) => (options && options.recursive ? rmSync(p, { recursive: true, force: true }) : void checked(host.rmdir(name(p)), 'rmdir', p)),
    renameSync: (a, b) => void checked(host.rename(name(a), name(b)), 'rename', a, b),
    copyFileSync: (a, b) => writeFileSync(b, readFileSync(a)),
    accessSync: (p) => void statSync(p, undefined, 'access'),
    realpathSync: (p) => (statSync(p, undefined, 'realpath'), path.resolve(name(p))),
    mkdtempSync: (p) => {
      const d = p + textOf(new Uint8Array(host.random(3)), 'hex');
      mkdirSync(d);
      return d;
    },
    fsyncSync() {},
    constants: { F_OK: 0, R_OK: 4, W_OK: 2, X_OK: 1 },
  };

  // The asynchronous forms do their work at once and tell of it later.
  const promises = {};
  for (const k of Object.keys(fs).filter((k) => k.endsWith('Sync'))) {
    const plain = k.slice(0, -4);
    promises[plain] = async (...args) => fs[k](...args);
    fs[plain] = (...args) => {
      const done = args.pop();
      if (typeof done !== 'function') throw badType('cb', 'of type function', done);
      let error = null, answer;
      try { answer = fs[k](...args); } catch (e) { error = e; }
      globalThis.setImmediate(() => (plain === 'exists' ? done(answer) : error ? done(error) : done(null, answer)));
    };
  }
  fs.promises = promises;
  Object.assign(modules, { path, 'path/posix': path, fs, 'fs/promises': promises });
  Object.assign(modules.internal, { readAll, writeBytes });
})
