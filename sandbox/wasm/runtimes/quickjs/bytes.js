// Text and bytes: TextEncoder, TextDecoder, atob, btoa, Buffer, structuredClone.
(function (host, modules) {
  'use strict';

  const { coded, badType } = modules.internal;
  const encode = (s) => new Uint8Array(host.encode(String(s).toWellFormed()));

  function decode(bytes) {
    return host.decode(bytes.buffer, bytes.byteOffset, bytes.byteOffset + bytes.byteLength);
  }

  class TextEncoder {
    get encoding() { return 'utf-8'; }
    encode(s = '') { return encode(s); }
    encodeInto(s, into) {
      let read = 0, written = 0;
      for (const c of String(s)) {
        const b = encode(c);
        if (written + b.length > into.length) break;
        into.set(b, written);
        written += b.length;
        read += c.length;
      }
      return { read, written };
    }
  }

  // incomplete answers how many bytes at the end begin a character that is not whole yet.
  function incomplete(bytes) {
    for (let n = 1; n <= 3 && n <= bytes.length; n++) {
      const b = bytes[bytes.length - n];
      if (b < 0x80) return 0;
      if (b >= 0xc0) return n < (b >= 0xf0 ? 4 : b >= 0xe0 ? 3 : 2) ? n : 0;
    }
    return 0;
  }

  class TextDecoder {
    #encoding; #fatal; #keep = new Uint8Array(0); #bom;
    constructor(encoding = 'utf-8', { fatal = false, ignoreBOM = false } = {}) {
      const name = String(encoding).trim().toLowerCase();
      if (!['utf-8', 'utf8', 'latin1', 'ascii', 'iso-8859-1', 'windows-1252'].includes(name)) {
        throw coded(RangeError, 'ERR_ENCODING_NOT_SUPPORTED', `The "${encoding}" encoding is not supported`);
      }
      this.#encoding = name.startsWith('utf') ? 'utf-8' : 'windows-1252';
      this.#fatal = !!fatal;
      this.#bom = !!ignoreBOM;
    }
    get encoding() { return this.#encoding; }
    get fatal() { return this.#fatal; }
    decode(input, { stream = false } = {}) {
      let bytes = input === undefined ? new Uint8Array(0) : viewOf(input);
      if (this.#encoding !== 'utf-8') return latin(bytes);
      if (this.#keep.length > 0) bytes = joined([this.#keep, bytes]);
      const cut = stream ? incomplete(bytes) : 0;
      this.#keep = bytes.slice(bytes.length - cut);
      let text = decode(bytes.subarray(0, bytes.length - cut));
      if (this.#fatal && text.includes('\ufffd') && !same(encode(text), bytes.subarray(0, bytes.length - cut))) {
        throw coded(TypeError, 'ERR_ENCODING_INVALID_ENCODED_DATA', 'The encoded data was not valid for encoding utf-8');
      }
      if (!this.#bom && text.startsWith('\ufeff')) text = text.slice(1);
      return text;
    }
  }

  const same = (a, b) => a.length === b.length && a.every((x, i) => x === b[i]);

  function viewOf(x) {
    if (ArrayBuffer.isView(x)) return new Uint8Array(x.buffer, x.byteOffset, x.byteLength);
    if (x instanceof ArrayBuffer || host.look(x)[0] === 'ArrayBuffer') return new Uint8Array(x);
    throw badType('input', 'an instance of ArrayBuffer or ArrayBufferView', x);
  }

  function joined(parts) {
    const all = new Uint8Array(parts.reduce((n, p) => n + p.length, 0));
    let at = 0;
    for (const p of parts) {
      all.set(p, at);
      at += p.length;
    }
    return all;
  }

  function latin(bytes) {
    let out = '';
    for (let i = 0; i < bytes.length; i += 4096) out += String.fromCharCode(...bytes.subarray(i, i + 4096));
    return out;
  }

  const B64 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
  const B64_VALUE = new Map([...B64].map((c, i) => [c, i]).concat([['-', 62], ['_', 63]]));

  function toBase64(bytes, url) {
    const parts = [];
    for (let i = 0; i < bytes.length; i += 3) {
      const n = (bytes[i] << 16) | ((bytes[i + 1] || 0) << 8) | (bytes[i + 2] || 0);
      const quad = B64[n >> 18] + B64[(n >> 12) & 63] + B64[(n >> 6) & 63] + B64[n & 63];
      const pad = Math.max(0, i + 3 - bytes.length);
      parts.push(quad.slice(0, 4 - pad) + (url ? '' : '='.repeat(pad)));
    }
    const text = parts.join('');
    return url ? text.replaceAll('+', '-').replaceAll('/', '_') : text;
  }

  function fromBase64(text) {
    const out = [];
    let bits = 0, n = 0;
    for (const c of text) {
      if (c === '=') break;
      const v = B64_VALUE.get(c);
      if (v === undefined) continue;
      n = ((n << 6) | v) & 0xffffff;
      bits += 6;
      if (bits >= 8) {
        bits -= 8;
        out.push((n >> bits) & 255);
      }
    }
    return Uint8Array.from(out);
  }

  function bytesOf(text, encoding = 'utf8') {
    switch (String(encoding).toLowerCase()) {
      case 'utf8': case 'utf-8': return encode(text);
      case 'hex': {
        const pairs = text.match(/^(?:[0-9a-fA-F]{2})*/)[0];
        return Uint8Array.from({ length: pairs.length / 2 }, (_, i) => parseInt(pairs.slice(2 * i, 2 * i + 2), 16));
      }
      case 'base64': case 'base64url': return fromBase64(text);
      case 'latin1': case 'binary': case 'ascii': return Uint8Array.from(text, (c) => c.charCodeAt(0) & 255);
      case 'utf16le': case 'ucs2': case 'utf-16le': case 'ucs-2': {
        const out = new Uint8Array(text.length * 2);
        for (let i = 0; i < text.length; i++) {
          out[2 * i] = text.charCodeAt(i) & 255;
          out[2 * i + 1] = text.charCodeAt(i) >> 8;
        }
        return out;
      }
      default: throw coded(TypeError, 'ERR_UNKNOWN_ENCODING', `Unknown encoding: ${encoding}`);
    }
  }

  function textOf(bytes, encoding = 'utf8') {
    switch (String(encoding).toLowerCase()) {
      case 'utf8': case 'utf-8': return decode(bytes);
      case 'hex': return Array.from(bytes, (b) => b.toString(16).padStart(2, '0')).join('');
      case 'base64': return toBase64(bytes, false);
      case 'base64url': return toBase64(bytes, true);
      case 'latin1': case 'binary': return latin(bytes);
      case 'ascii': return latin(bytes.map((b) => b & 127));
      case 'utf16le': case 'ucs2': case 'utf-16le': case 'ucs-2': {
        let out = '';
        for (let i = 0; i + 1 < bytes.length; i += 2) out += String.fromCharCode(bytes[i] | (bytes[i + 1] << 8));
        return out;
      }
      default: throw coded(TypeError, 'ERR_UNKNOWN_ENCODING', `Unknown encoding: ${encoding}`);
    }
  }

  class Buffer extends Uint8Array {
    static from(value, encoding, length) {
      if (typeof value === 'string') return wrap(bytesOf(value, encoding));
      if (host.look(value)[0] === 'ArrayBuffer' || host.look(value)[0] === 'SharedArrayBuffer') return new Buffer(value, encoding, length);
      if (ArrayBuffer.isView(value) || Array.isArray(value)) return wrap(Uint8Array.from(value));
      if (value !== null && typeof value === 'object' && value.type === 'Buffer' && Array.isArray(value.data)) return wrap(Uint8Array.from(value.data));
      throw badType('first', 'of type string or an instance of Buffer, ArrayBuffer, or Array or an Array-like Object', value);
    }
    static alloc(n, fill = 0, encoding) {
      const b = new Buffer(n);
      return fill === 0 ? b : b.fill(fill, 0, n, encoding);
    }
    static allocUnsafe(n) { return new Buffer(n); }
    static allocUnsafeSlow(n) { return new Buffer(n); }
    static isBuffer(b) { return b instanceof Buffer; }
    static isEncoding(e) {
      try { bytesOf('', e); return true; } catch { return false; }
    }
    static byteLength(s, encoding) { return typeof s === 'string' ? bytesOf(s, encoding).length : s.byteLength; }
    static concat(list, total) {
      const all = joined(list);
      return wrap(total === undefined ? all : joined([all.subarray(0, total), new Uint8Array(Math.max(0, total - all.length))]));
    }
    static compare(a, b) {
      for (let i = 0; i < a.length && i < b.length; i++) if (a[i] !== b[i]) return a[i] < b[i] ? -1 : 1;
      return Math.sign(a.length - b.length);
    }
    toString(encoding, start = 0, end = this.length) { return textOf(this.subarray(Math.max(0, start), Math.max(0, end)), encoding); }
    toLocaleString(encoding) { return this.toString(encoding); }
    toJSON() { return { type: 'Buffer', data: Array.from(this) }; }
    equals(other) { return same(this, other); }
    compare(other) { return Buffer.compare(this, other); }
    slice(a, b) { return this.subarray(a, b); }
    write(text, offset = 0, length, encoding) {
      if (typeof offset === 'string') [offset, encoding] = [0, offset];
      if (typeof length === 'string') [length, encoding] = [undefined, length];
      const b = bytesOf(text, encoding).subarray(0, Math.min(length === undefined ? Infinity : length, this.length - offset));
      this.set(b, offset);
      return b.length;
    }
    copy(target, at = 0, start = 0, end = this.length) {
      const part = this.subarray(start, Math.min(end, start + target.length - at));
      target.set(part, at);
      return part.length;
    }
    fill(value, start = 0, end = this.length, encoding) {
      if (typeof value === 'string') {
        const b = bytesOf(value, typeof start === 'string' ? start : encoding);
        if (typeof start === 'string') start = 0;
        for (let i = start; i < end; i++) this[i] = b.length ? b[(i - start) % b.length] : 0;
        return this;
      }
      return super.fill(value, start, end);
    }
    indexOf(value, from = 0, encoding) {
      if (typeof value === 'number') return super.indexOf(value, from);
      const b = typeof value === 'string' ? bytesOf(value, encoding) : value;
      for (let i = from; i + b.length <= this.length; i++) if (b.every((x, j) => this[i + j] === x)) return i;
      return -1;
    }
    includes(value, from, encoding) { return this.indexOf(value, from, encoding) >= 0; }
    [modules.util.inspect.custom]() {
      const rest = this.length > 50 ? ` ... ${this.length - 50} more byte${this.length > 51 ? 's' : ''}` : '';
      const body = textOf(this.subarray(0, 50), 'hex').replace(/(..)(?=.)/g, '$1 ');
      return `<Buffer${body === '' ? '' : ' '}${body}${rest}>`;
    }
  }

  for (const [suffix, size, method] of [['UInt8', 1, 'Uint8'], ['Int8', 1, 'Int8'], ['UInt16', 2, 'Uint16'], ['Int16', 2, 'Int16'], ['UInt32', 4, 'Uint32'],
    ['Int32', 4, 'Int32'], ['Float', 4, 'Float32'], ['Double', 8, 'Float64'], ['BigInt64', 8, 'BigInt64'], ['BigUInt64', 8, 'BigUint64']]) {
    for (const end of size === 1 ? [''] : ['LE', 'BE']) {
      const view = (b) => new DataView(b.buffer, b.byteOffset, b.byteLength);
      const read = function (at = 0) { return view(this)[`get${method}`](at, end === 'LE'); };
      const write = function (v, at = 0) {
        view(this)[`set${method}`](at, v, end === 'LE');
        return at + size;
      };
      for (const [name, f] of [[`read${suffix}${end}`, read], [`write${suffix}${end}`, write]]) {
        for (const n of new Set([name, name.replace('UInt', 'Uint')])) Object.defineProperty(Buffer.prototype, n, { value: f, writable: true, configurable: true });
      }
    }
  }

  function wrap(bytes) { return new Buffer(bytes.buffer, bytes.byteOffset, bytes.byteLength); }

  function atob(text) {
    const clean = String(text).replace(/[\t\n\f\r ]/g, '');
    if (/[^A-Za-z0-9+/=]/.test(clean) || /=[^=]/.test(clean) || clean.replace(/=+$/, '').length % 4 === 1) {
      throw named('InvalidCharacterError', 'The string to be decoded is not correctly encoded.');
    }
    return latin(fromBase64(clean));
  }

  function btoa(text) {
    text = String(text);
    if (/[^\x00-\xff]/.test(text)) throw named('InvalidCharacterError', 'Invalid character');
    return toBase64(bytesOf(text, 'latin1'), false);
  }

  function named(name, message) {
    const e = new Error(message);
    Object.defineProperty(e, 'name', { value: name, configurable: true });
    return e;
  }

  // copy is the structured clone algorithm of HTML for the values that this engine has.
  function copy(v, seen) {
    if (typeof v === 'function' || typeof v === 'symbol') throw named('DataCloneError', `${typeof v === 'symbol' ? String(v) : v} could not be cloned.`);
    if (typeof v !== 'object' || v === null) return v;
    if (seen.has(v)) return seen.get(v);
    const kind = host.look(v)[0];
    const keep = (c) => (seen.set(v, c), c);
    switch (kind) {
      case 'Date': return keep(new Date(v.getTime()));
      case 'RegExp': return keep(new RegExp(v.source, v.flags));
      case 'Number': case 'String': case 'Boolean': case 'BigInt': return keep(Object(v.valueOf()));
      case 'ArrayBuffer': return keep(v.slice(0));
      case 'Map': {
        const m = keep(new Map());
        for (const [k, x] of v) m.set(copy(k, seen), copy(x, seen));
        return m;
      }
      case 'Set': {
        const s = keep(new Set());
        for (const x of v) s.add(copy(x, seen));
        return s;
      }
      case 'Error': {
        const known = ['EvalError', 'RangeError', 'ReferenceError', 'SyntaxError', 'TypeError', 'URIError'].includes(v.name) ? globalThis[v.name] : Error;
        const e = keep(new known(v.message));
        if (Object.hasOwn(v, 'cause')) Object.defineProperty(e, 'cause', { value: copy(v.cause, seen), writable: true, configurable: true });
        e.stack = v.stack;
        return e;
      }
      case 'Promise': case 'WeakMap': case 'WeakSet': case 'WeakRef': throw named('DataCloneError', `#<${kind}> could not be cloned.`);
    }
    if (ArrayBuffer.isView(v)) {
      const C = globalThis[kind] || Uint8Array;
      return keep(kind === 'DataView' ? new DataView(v.buffer.slice(0), v.byteOffset, v.byteLength) : new C(copy(v.buffer, seen), v.byteOffset, v.length));
    }
    const out = keep(Array.isArray(v) ? new Array(v.length) : {});
    for (const k of Object.keys(v)) out[k] = copy(v[k], seen);
    return out;
  }

  function structuredClone(v) {
    if (arguments.length === 0) throw coded(TypeError, 'ERR_MISSING_ARGS', 'The "value" argument must be specified');
    return copy(v, new Map());
  }

  class StringDecoder {
    #decoder; #encoding;
    constructor(encoding = 'utf8') {
      this.#encoding = encoding;
      this.#decoder = new TextDecoder('utf-8', { ignoreBOM: true });
    }
    write(b) { return /^utf-?8$/i.test(this.#encoding) ? this.#decoder.decode(b, { stream: true }) : textOf(b, this.#encoding); }
    end(b) { return (b ? this.write(b) : '') + this.#decoder.decode(); }
  }

  for (const [k, v] of Object.entries({ TextEncoder, TextDecoder, Buffer, atob, btoa, structuredClone })) {
    Object.defineProperty(globalThis, k, { value: v, writable: true, configurable: true });
  }
  modules.buffer = { Buffer, atob, btoa, constants: { MAX_LENGTH: 2 ** 31 - 1, MAX_STRING_LENGTH: 2 ** 29 - 24 }, kMaxLength: 2 ** 31 - 1 };
  modules.string_decoder = { StringDecoder };
  Object.assign(modules.internal, { encode, decode, viewOf, joined, bytesOf, textOf, wrap });
})
