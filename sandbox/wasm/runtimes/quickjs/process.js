// process, its streams, console, readline, and small modules that describe the machine.
(function (host, modules) {
  'use strict';

  const { badType, nextTick, checked, writeBytes, textOf, wrap, unsupported } = modules.internal;
  const EventEmitter = modules.events;
  const { inspect, format } = modules.util;

  class WriteStream extends EventEmitter {
    constructor(fd) {
      super();
      Object.assign(this, { fd, writable: true, isTTY: undefined, writableLength: 0, writableHighWaterMark: 16384 });
    }
    write(data, encoding, done) {
      if (typeof encoding === 'function') [encoding, done] = [undefined, encoding];
      if (typeof data !== 'string' && !ArrayBuffer.isView(data)) throw badType('chunk', 'of type string or an instance of Buffer or Uint8Array', data);
      writeBytes(this.fd, data, encoding);
      if (typeof done === 'function') nextTick(done);
      return true;
    }
    end(data, encoding, done) {
      if (typeof data === 'function') [data, done] = [undefined, data];
      if (data !== undefined && data !== null) this.write(data, encoding);
      nextTick(() => {
        this.emit('finish');
        if (typeof done === 'function') done();
      });
      return this;
    }
    cork() {}
    uncork() {}
    getColorDepth() { return 1; }
    hasColors() { return false; }
  }

  // Standard input. Reading it blocks, so it is read when the turn of its reader comes, a piece a turn.
  class ReadStream extends EventEmitter {
    #encoding = null; #flowing = false; #ended = false; #parts = [];
    constructor() {
      super();
      Object.assign(this, { fd: 0, readable: true, isTTY: undefined });
    }
    #piece() {
      const b = new Uint8Array(checked(host.read(0, 1 << 16), 'read'));
      return b.length === 0 ? null : b;
    }
    #pump() {
      if (!this.#flowing || this.#ended) return;
      const b = this.#piece();
      if (b !== null) {
        this.emit('data', this.#text(b));
        globalThis.setImmediate(() => this.#pump());
        return;
      }
      const rest = this.#decoder ? this.#decoder.end() : '';
      if (rest !== '') this.emit('data', rest);
      this.#finish();
    }
    #decoder = null;
    #text(b) {
      if (this.#encoding === null) return wrap(b);
      this.#decoder = this.#decoder || new modules.string_decoder.StringDecoder(this.#encoding);
      return this.#decoder.write(b);
    }
    #finish() {
      this.#ended = true;
      this.readable = false;
      this.emit('end');
      this.emit('close');
    }
    setEncoding(e) {
      this.#encoding = e || 'utf8';
      return this;
    }
    on(name, f) {
      super.on(name, f);
      if (name === 'data') this.resume();
      else if (name === 'readable') globalThis.setImmediate(() => this.#offer());
      return this;
    }
    addListener(name, f) { return this.on(name, f); }
    #offer() {
      if (this.#ended) return;
      for (let b = this.#piece(); b !== null; b = this.#piece()) this.#parts.push(b);
      this.emit('readable');
      this.#ended = true;
      nextTick(() => {
        this.emit('readable');
        this.#finish();
      });
    }
    read() {
      if (this.#parts.length === 0) return null;
      const all = modules.internal.joined(this.#parts);
      this.#parts = [];
      return this.#encoding === null ? wrap(all) : textOf(all, this.#encoding);
    }
    resume() {
      if (!this.#flowing) {
        this.#flowing = true;
        globalThis.setImmediate(() => this.#pump());
      }
      return this;
    }
    pause() {
      this.#flowing = false;
      return this;
    }
    isPaused() { return !this.#flowing; }
    unref() { return this; }
    ref() { return this; }
    destroy() { return this.pause(); }
    setRawMode() { return this; }
    pipe(to) {
      this.on('data', (d) => to.write(d));
      this.on('end', () => to !== process.stdout && to !== process.stderr && to.end());
      return to;
    }
    async *[Symbol.asyncIterator]() {
      for (let b = this.#piece(); b !== null; b = this.#piece()) yield this.#text(b);
      this.#finish();
    }
  }

  const started = host.now();
  const hrtime = (since) => {
    const ns = BigInt(Math.round(host.now() * 1e6)) - (since ? BigInt(since[0]) * 1000000000n + BigInt(since[1]) : 0n);
    return [Number(ns / 1000000000n), Number(ns % 1000000000n)];
  };
  hrtime.bigint = () => BigInt(Math.round(host.now() * 1e6));

  const process = Object.assign(Object.create(Object.create(EventEmitter.prototype, { [Symbol.toStringTag]: { value: 'process' } })), {
    title: 'node', version: 'v20.0.0', versions: { node: '20.0.0', quickjs: '0.16.2' }, arch: 'wasm32', platform: 'linux', release: { name: 'node' }, pid: 1, ppid: 0, execPath: '/bin/node',
    execArgv: [], argv: ['/bin/node'], argv0: 'node', env: {}, exitCode: undefined, features: {}, config: {}, hrtime, nextTick,
    stdin: new ReadStream(), stdout: new WriteStream(1), stderr: new WriteStream(2),
    cwd: () => checked(host.cwd(), 'uv_cwd'), chdir: (d) => void checked(host.chdir(String(d)), 'chdir', d), umask: () => 0o22,
    uptime: () => (host.now() - started) / 1000, getuid: () => 0, geteuid: () => 0, getgid: () => 0, getegid: () => 0,
    memoryUsage: () => ({ rss: 0, heapTotal: 0, heapUsed: 0, external: 0, arrayBuffers: 0 }),
    cpuUsage: () => ({ user: Math.round((host.now() - started) * 1000), system: 0 }),
    emitWarning: (w) => process.stderr.write(`(node:1) ${w instanceof Error ? `${w.name}: ${w.message}` : `Warning: ${w}`}\n`),
    binding() { throw unsupported('process.binding'); }, kill() { throw unsupported('process.kill'); },
    abort: () => host.exit(134), reallyExit: (code) => host.exit(code === undefined ? 0 : Number(code)),
    exit(code) {
      if (code !== undefined) process.exitCode = code;
      modules.internal.leaving();
      host.exit(Number(process.exitCode) || 0);
    },
    getActiveResourcesInfo: () => modules.internal.timers().filter((t) => t.held).map(() => 'Timeout'),
  });

  let groups = '';
  const counts = new Map(), clocks = new Map();
  const put = (stream, args) => {
    let text = format(...args);
    if (groups !== '') text = groups + text.replaceAll('\n', `\n${groups}`);
    stream.write(text + '\n');
  };

  function table(rows, columns) {
    if (rows === null || typeof rows !== 'object') return console.log(rows);
    const cell = (v) => (v !== null && typeof v === 'object' ? inspect(v, { depth: -1 }) : inspect(v));
    const entries = rows instanceof Map ? [...rows].map(([k, v], i) => [String(i), v]) : rows instanceof Set ? [...rows].map((v, i) => [String(i), v]) : Object.keys(rows).map((k) => [k, rows[k]]);
    const heads = columns ? [...columns] : [];
    let values = false;
    for (const [, v] of entries) {
      if (v !== null && typeof v === 'object') {
        if (!columns) for (const k of Object.keys(v)) if (!heads.includes(k)) heads.push(k);
      } else values = true;
    }
    const titles = ['(index)', ...heads, ...(values ? ['Values'] : [])];
    const lines = entries.map(([k, v]) => {
      const object = v !== null && typeof v === 'object';
      return [k, ...heads.map((h) => (object && Object.hasOwn(v, h) ? cell(v[h]) : '')), ...(values ? [object ? '' : cell(v)] : [])];
    });
    const widths = titles.map((t, i) => Math.max(t.length, ...lines.map((l) => l[i].length)) + 2);
    const rule = (a, b, c) => a + widths.map((w) => '─'.repeat(w)).join(b) + c;
    const row = (l) => `│${l.map((s, i) => ` ${s}`.padEnd(widths[i])).join('│')}│`;
    return console.log([rule('┌', '┬', '┐'), row(titles), rule('├', '┼', '┤'), ...lines.map(row), rule('└', '┴', '┘')].join('\n'));
  }

  const elapsed = (label) => {
    const ms = host.now() - clocks.get(label);
    return `${label}: ${ms >= 1000 ? `${(ms / 1000).toFixed(3)}s` : `${Number(ms.toFixed(3))}ms`}`;
  };

  const console = {
    log: (...args) => put(process.stdout, args), warn: (...args) => put(process.stderr, args),
    dir: (v, options) => put(process.stdout, [inspect(v, { customInspect: false, ...options })]),
    assert(ok, ...args) {
      if (ok) return;
      if (typeof args[0] === 'string') args[0] = `Assertion failed: ${args[0]}`;
      else args.unshift('Assertion failed');
      put(process.stderr, args);
    },
    group(...args) {
      if (args.length > 0) console.log(...args);
      groups += '  ';
    },
    groupEnd() { groups = groups.slice(2); },
    count(label = 'default') {
      counts.set(String(label), (counts.get(String(label)) || 0) + 1);
      console.log(`${label}: ${counts.get(String(label))}`);
    },
    countReset(label = 'default') { counts.delete(String(label)); },
    time(label = 'default') { clocks.set(String(label), host.now()); },
    timeLog(label = 'default', ...args) { if (clocks.has(String(label))) console.log(elapsed(String(label)), ...args); },
    timeEnd(label = 'default') {
      if (!clocks.has(String(label))) return;
      console.log(elapsed(String(label)));
      clocks.delete(String(label));
    },
    trace(...args) { put(process.stderr, [`Trace${args.length > 0 ? ': ' : ''}${format(...args)}\n${new Error().stack}`]); },
    table,
  };
  Object.assign(console, { info: console.log, debug: console.log, error: console.warn, dirxml: console.log, groupCollapsed: console.group });
  console.Console = class Console {
    constructor(out, err) {
      const [o, e] = out && out.stdout ? [out.stdout, out.stderr || out.stdout] : [out, err || out];
      Object.assign(this, console, { log: (...args) => put(o, args), info: (...args) => put(o, args), warn: (...args) => put(e, args), error: (...args) => put(e, args) });
    }
  };

  // readline: lines of a stream, as events, by await or by questions.
  class Interface extends EventEmitter {
    #rest = ''; #closed = false; #questions = []; #lines = []; #waiting = []; #input; #output;
    constructor(input, output) {
      super();
      if (input && input.input) ({ input, output } = input);
      if (!input || typeof input.on !== 'function') throw badType('input', 'an instance of Stream', input);
      this.#input = input;
      this.#output = output;
      this.terminal = false;
      this.line = '';
      const decoder = new modules.string_decoder.StringDecoder('utf8');
      input.on('data', (d) => this.#take(typeof d === 'string' ? d : decoder.write(d)));
      input.on('end', () => {
        if (this.#rest !== '') this.#give(this.#rest);
        this.#rest = '';
        this.close();
      });
    }
    #take(text) {
      const lines = (this.#rest + text).split(/\r\n|\n|\r(?!$)/);
      this.#rest = lines.pop();
      for (const l of lines) if (!this.#closed) this.#give(l);
    }
    #give(line) {
      if (this.#questions.length > 0) this.#questions.shift()(line);
      else if (this.#waiting.length > 0) this.#waiting.shift()({ value: line, done: false });
      else if (this.listenerCount('line') > 0) this.emit('line', line);
      else this.#lines.push(line);
    }
    on(name, f) {
      super.on(name, f);
      if (name === 'line') for (const l of this.#lines.splice(0)) nextTick(() => this.emit('line', l));
      return this;
    }
    question(text, options, done) {
      if (typeof options === 'function') done = options;
      if (this.#output) this.#output.write(text);
      if (this.#lines.length > 0) nextTick(done, this.#lines.shift());
      else this.#questions.push(done);
    }
    setPrompt(p) { this.#prompt = p; }
    getPrompt() { return this.#prompt; }
    #prompt = '> ';
    prompt() { if (this.#output) this.#output.write(this.#prompt); }
    write() {}
    pause() {
      this.#input.pause();
      return this;
    }
    resume() {
      this.#input.resume();
      return this;
    }
    close() {
      if (this.#closed) return;
      this.#closed = true;
      this.#input.pause();
      for (const w of this.#waiting.splice(0)) w({ value: undefined, done: true });
      this.emit('close');
    }
    [Symbol.asyncIterator]() {
      return {
        next: () => new Promise((resolve) => {
          if (this.#lines.length > 0) resolve({ value: this.#lines.shift(), done: false });
          else if (this.#closed) resolve({ value: undefined, done: true });
          else this.#waiting.push(resolve);
        }),
        return: async (value) => {
          this.close();
          return { value, done: true };
        },
        [Symbol.asyncIterator]() { return this; },
      };
    }
  }

  class AskingInterface extends Interface {
    question(text) { return new Promise((resolve) => super.question(text, resolve)); }
  }

  const performance = { now: () => host.now() - started, timeOrigin: 0, mark() {}, measure() {}, toJSON: () => ({}) };
  const promisify = (f) => (typeof f !== 'function' ? (() => { throw badType('original', 'of type function', f); })() : f[promisify.custom] || function (...args) {
    return new Promise((resolve, reject) => f.call(this, ...args, (e, v) => (e ? reject(e) : resolve(v))));
  });
  promisify.custom = Symbol.for('nodejs.util.promisify.custom');
  Object.defineProperty(setTimeout, promisify.custom, { value: modules.timers.promises.setTimeout });
  Object.assign(modules.util, {
    promisify, TextEncoder: globalThis.TextEncoder, TextDecoder: globalThis.TextDecoder,
    inherits(C, P) {
      Object.defineProperty(C, 'super_', { value: P, writable: true, configurable: true });
      Object.setPrototypeOf(C.prototype, P.prototype);
    },
    deprecate: (f) => f, callbackify: (f) => (...args) => {
      const done = args.pop();
      f(...args).then((v) => nextTick(done, null, v), (e) => nextTick(done, e));
    },
    isArray: Array.isArray, debuglog: () => () => {}, stripVTControlCharacters: (s) => s.replace(/\x1b\[[0-9;]*m/g, ''), toUSVString: (s) => String(s).toWellFormed(),
    formatWithOptions: (options, ...args) => format(...args),
  });

  const bytes = (n) => wrap(modules.internal.joined(Array.from({ length: Math.ceil(n / 256) }, (_, i) => new Uint8Array(host.random(Math.min(256, n - 256 * i))))));
  const randomInt = (a, b) => {
    if (b === undefined) [a, b] = [0, a];
    const n = bytes(6).reduce((x, v) => x * 256 + v, 0);
    return a + (n % (b - a));
  };
  const randomUUID = () => {
    const b = bytes(16);
    b[6] = (b[6] & 15) | 64;
    b[8] = (b[8] & 63) | 128;
    return b.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
  };
  const webcrypto = { randomUUID, getRandomValues: (a) => (modules.internal.viewOf(a).set(bytes(a.byteLength)), a) };

  Object.assign(modules, {
    process, console, readline: { createInterface: (a, b) => new Interface(a, b), Interface, clearLine() {}, cursorTo() {}, promises: null },
    'readline/promises': { createInterface: (a, b) => new AskingInterface(a, b), Interface: AskingInterface },
    perf_hooks: { performance }, crypto: { randomBytes: bytes, randomInt, randomUUID, webcrypto, getRandomValues: webcrypto.getRandomValues },
    os: { EOL: '\n', platform: () => 'linux', type: () => 'Linux', arch: () => 'wasm32', cpus: () => [{ model: '', speed: 0, times: {} }], totalmem: () => 0, freemem: () => 0, tmpdir: () => '/tmp',
      homedir: () => '/', hostname: () => 'localhost', release: () => '', uptime: () => 0, endianness: () => 'LE', availableParallelism: () => 1 },
    tty: { isatty: () => false },
  });
  modules.readline.promises = modules['readline/promises'];
  for (const [k, value] of Object.entries({ process, console, performance, global: globalThis, crypto: webcrypto })) {
    Object.defineProperty(globalThis, k, { value, writable: true, configurable: true });
  }
})
