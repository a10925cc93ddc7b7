// require and import, vm, and the life of a program: what the C side calls at its start, at each turn of its loop, and at its end.
(function (host, modules) {
  'use strict';

  const { coded, settle, turn, busy, unsupported, badType } = modules.internal;
  const { path, fs, process, util } = modules;

  // Modules of Node that need what is not here: asking for them is an error that says so, unlike a name that nobody has.
  const ABSENT = ('async_hooks child_process cluster dgram diagnostics_channel dns dns/promises domain http http2 https inspector module_hooks net punycode querystring repl sea sqlite '
    + 'stream stream/promises stream/web test tls trace_events url v8 wasi worker_threads zlib').split(' ');

  function builtin(name) {
    const bare = name.startsWith('node:') ? name.slice(5) : name;
    if (Object.hasOwn(modules, bare) && bare !== 'internal') return modules[bare];
    if (ABSENT.includes(bare)) throw unsupported(`the module '${bare}'`);
    if (name.startsWith('node:')) throw coded(Error, 'ERR_UNKNOWN_BUILTIN_MODULE', `No such built-in module: ${name}`);
    return undefined;
  }
  const isBuiltin = (name) => {
    const bare = String(name).replace(/^node:/, '');
    return (Object.hasOwn(modules, bare) && bare !== 'internal') || ABSENT.includes(bare);
  };

  const isFile = (p) => {
    const st = fs.statSync(p, { throwIfNoEntry: false });
    return st !== undefined && st.isFile();
  };
  const isFileSafe = (p) => {
    try { return isFile(p); } catch { return false; }
  };

  function fileAt(p) {
    for (const ending of ['', '.js', '.json', '.mjs', '.cjs']) if (isFileSafe(p + ending)) return p + ending;
    let main = 'index';
    try { main = JSON.parse(fs.readFileSync(`${p}/package.json`, 'utf8')).main || main; } catch { /* no package */ }
    for (const ending of ['', '.js', '.json', '/index.js']) if (isFileSafe(path.join(p, main) + ending)) return path.join(p, main) + ending;
    return isFileSafe(`${p}/index.js`) ? `${p}/index.js` : undefined;
  }

  function places(from) {
    const out = [];
    for (let d = from; ; d = path.dirname(d)) {
      if (path.basename(d) !== 'node_modules') out.push(path.join(d, 'node_modules'));
      if (d === '/') break;
    }
    return out.concat((process.env.NODE_PATH || '').split(':').filter(Boolean));
  }

  // find answers the file that a name means in a folder; candidates are where a bare name is looked for.
  function find(name, from, candidates) {
    let found;
    if (/^\.{0,2}\//.test(name) || name === '.' || name === '..') found = fileAt(path.resolve(from, name));
    else for (const d of candidates || places(from)) if ((found = fileAt(path.join(d, name))) !== undefined) break;
    if (found === undefined) {
      const e = new Error(`Cannot find module '${name}'`);
      e.code = 'MODULE_NOT_FOUND';
      e.requireStack = [];
      throw e;
    }
    return found;
  }

  const PARAMETERS = ['exports', 'require', 'module', '__filename', '__dirname'];

  function Module(id = '', parent) {
    Object.assign(this, { id, path: path.dirname(id), exports: {}, filename: null, loaded: false, children: [], paths: [] });
    if (parent && parent.children) parent.children.push(this);
  }
  Module.prototype.require = function (name) {
    if (typeof name !== 'string') throw badType('id', 'of type string', name);
    return Module._load(name, this);
  };
  Module.prototype._compile = function (source, file) {
    const f = compileFunction(source, PARAMETERS, { filename: file });
    return f.call(this.exports, this.exports, requireFor(this), this, file, path.dirname(file));
  };
  Module.prototype.load = function (file) {
    this.filename = file;
    this.paths = places(path.dirname(file));
    (Module._extensions[path.extname(file)] || Module._extensions['.js'])(this, file);
    this.loaded = true;
  };
  Module._cache = Object.create(null);
  Module._extensions = {
    '.js': (m, file) => m._compile(text(file), file),
    '.json': (m, file) => {
      try { m.exports = JSON.parse(text(file)); } catch (e) {
        e.message = `${file}: ${e.message}`;
        throw e;
      }
    },
    '.mjs': (m, file) => { throw coded(Error, 'ERR_REQUIRE_ESM', `require() of ES Module ${file} not supported.`); },
  };
  Module._resolveFilename = (name, parent) => (isBuiltin(name) ? name : find(name, parent ? parent.path : process.cwd(), parent && parent.paths && parent.paths.length > 0 ? parent.paths.concat(places('/')) : undefined));
  Module._load = (name, parent, main) => {
    const known = builtin(name);
    if (known !== undefined) return known;
    const file = Module._resolveFilename(name, parent);
    const cached = Module._cache[file];
    if (cached !== undefined) return cached.exports;
    const m = new Module(file, parent);
    if (main) {
      m.id = '.';
      process.mainModule = m;
    }
    Module._cache[file] = m;
    let whole = false;
    try {
      m.load(file);
      whole = true;
    } finally {
      if (!whole) delete Module._cache[file];
    }
    return m.exports;
  };
  Module._nodeModulePaths = places;
  Module.builtinModules = Object.keys(modules);
  Module.isBuiltin = isBuiltin;
  Module.wrapper = [`(function (${PARAMETERS.join(', ')}) { `, '\n});'];
  Module.wrap = (s) => Module.wrapper[0] + s + Module.wrapper[1];
  Module.Module = Module;
  Module.createRequire = (file) => {
    const m = new Module(String(file).replace(/^file:\/\//, ''), null);
    m.filename = m.id;
    m.paths = places(m.path);
    return requireFor(m);
  };

  function requireFor(m) {
    const require = (name) => m.require(name);
    require.resolve = (name) => Module._resolveFilename(name, m);
    require.main = process.mainModule;
    require.cache = Module._cache;
    require.extensions = Module._extensions;
    return require;
  }

  const text = (file) => fs.readFileSync(file, 'utf8').replace(/^\ufeff/, '').replace(/^#!/, '//');

  // vm: one global scope is all there is.
  const nameOf = (options) => (typeof options === 'string' ? options : options && options.filename) || 'evalmachine.<anonymous>';
  const lineOf = (options) => (options && options.lineOffset) || 0;

  function compileFunction(source, parameters = [], options) {
    return host.evaluate(`(function (${parameters.join(', ')}) {${source}\n})`, nameOf(options), false, lineOf(options));
  }

  class Script {
    #source; #options;
    constructor(source, options) {
      this.#source = String(source);
      this.#options = options;
      parse(this.#source, nameOf(options), lineOf(options));
    }
    runInThisContext() { return host.evaluate(this.#source, nameOf(this.#options), false, lineOf(this.#options)); }
    runInContext() { throw unsupported('a context of its own (vm)'); }
    runInNewContext() { throw unsupported('a context of its own (vm)'); }
  }

  // parse throws the SyntaxError of a text without running it: behind a throw that is caught nothing of it happens, hoisted names stay inside a function.
  function parse(source, file, line) {
    host.evaluate(`(function () {${source.replace(/^#!/, '//')}\n})`, file, false, line);
  }

  const noContext = () => { throw unsupported('a context of its own (vm)'); };
  const vm = {
    Script, compileFunction, runInThisContext: (source, options) => host.evaluate(String(source), nameOf(options), false, lineOf(options)),
    createContext: noContext, runInContext: noContext, runInNewContext: noContext, isContext: () => false, constants: {},
  };
  Object.assign(modules, { module: Module, vm });

  // import: the names of a built-in module are those it has when it is imported.
  const KEYWORDS = new Set(('arguments await break case catch class const continue debugger default delete do else enum eval export extends false finally for function if implements import in instanceof '
    + 'interface let new null package private protected public return static super switch this throw true try typeof var void while with yield').split(' '));

  function surface(name) {
    const key = JSON.stringify(name);
    const names = Object.keys(globalThis[ASK](name)).filter((k) => /^[A-Za-z_$][\w$]*$/.test(k) && !KEYWORDS.has(k));
    return `const m = globalThis[Symbol.for('node:internal/ask')](${key});\nexport default m;\n` + names.map((k) => `export const ${k} = m[${JSON.stringify(k)}];\n`).join('');
  }
  const ASK = Symbol.for('node:internal/ask');
  Object.defineProperty(globalThis, ASK, { value: (name) => builtin(name) || Module._load(name, null), enumerable: false });

  // A text that says import or export where a statement begins, or awaits, and is no function body, is a module, whatever its file is called.
  function isModule(source) {
    if (!/^\s*(import|export)\b|\bawait\b/m.test(source)) return false;
    try {
      parse(source, 'module', 0);
      return false;
    } catch {
      return true;
    }
  }
  const commonJS = (file) => /\.(cjs|json)$/.test(file) || (!file.endsWith('.mjs') && !isModule(text(file)));

  // The life of a program.
  const rejections = new Map();
  let status = 0, left = false, unfinished = null;

  function shown(e) {
    if (e !== null && (typeof e === 'object' || typeof e === 'function') && host.look(e)[0] === 'Error') return `Uncaught:\n${util.inspect(e)}`;
    return `Uncaught:\n${util.inspect(e)}\n(Use \`node --trace-uncaught ...\` to show where the exception was thrown)`;
  }

  function fatal(e) {
    if (process.listenerCount('uncaughtException') > 0) {
      process.emit('uncaughtException', e, 'uncaughtException');
      return;
    }
    process.stderr.write(`${shown(e)}\n`);
    process.exitCode = 1;
    leaving();
    host.exit(Number(process.exitCode) || 1);
  }

  function guard(f) {
    try {
      return f();
    } catch (e) {
      return fatal(e);
    }
  }

  function rejected(promise, reason, handled) {
    if (handled) rejections.delete(promise);
    else rejections.set(promise, reason);
    return 0;
  }

  // settled ends a turn: what it queued is run, and promises that were rejected with nobody to catch are errors.
  function settled() {
    settle(guard);
    while (rejections.size > 0) {
      const [[promise, reason]] = rejections;
      rejections.delete(promise);
      if (process.listenerCount('unhandledRejection') > 0) guard(() => process.emit('unhandledRejection', reason, promise));
      else if (reason !== null && typeof reason === 'object' && host.look(reason)[0] === 'Error') fatal(reason);
      else fatal(coded(Error, 'ERR_UNHANDLED_REJECTION', 'This error originated either by throwing inside of an async function without a catch block, or by rejecting a promise which was not '
        + `handled with .catch(). The promise rejected with the reason "${util.inspect(reason)}".`));
      settle(guard);
    }
  }

  function leaving() {
    if (left) return;
    left = true;
    try {
      process.emit('exit', Number(process.exitCode) || 0);
    } catch (e) {
      process.stderr.write(`${shown(e)}\n`);
      process.exitCode = 7;
    }
  }
  modules.internal.leaving = leaving;

  function begin(args) {
    let i = 0, source, print = false, asModule = false;
    while (i < args.length && args[i].startsWith('-') && args[i] !== '-') {
      const option = args[i++];
      if (option === '--') break;
      if (['-e', '--eval', '-p', '--print', '-pe'].includes(option)) {
        print = option !== '-e' && option !== '--eval';
        source = args[i++] || '';
      } else if (option.startsWith('--input-type')) asModule = (option.split('=')[1] || args[i++]) === 'module';
      else if (['-r', '--require', '-C', '--conditions'].includes(option)) {
        const value = args[i++];
        if (option.endsWith('r') || option === '--require') process.preload = [...(process.preload || []), value];
      }
      process.execArgv.push(option);
    }
    for (const name of process.preload || []) Module._load(name, null);
    delete process.preload;
    if (source === undefined && i < args.length && args[i] !== '-') return file(args[i], args.slice(i + 1));
    if (source === undefined) {
      source = fs.readFileSync(0, 'utf8');
      i++;
    }
    process.argv.push(...args.slice(i));
    const m = new Module('[eval]', null);
    m.filename = path.join(process.cwd(), '[eval]');
    m.path = process.cwd();
    m.paths = places(process.cwd());
    if (asModule || isModule(source)) return wait(host.evaluate(source, m.filename, true));
    Object.assign(globalThis, { require: requireFor(m), module: m, exports: m.exports, __filename: '[eval]', __dirname: '.' });
    const value = host.evaluate(source.replace(/^#!/, '//'), '[eval]', false, 0);
    if (print) console.log(value);
    return undefined;
  }

  function file(name, rest) {
    const full = fileAt(path.resolve(name));
    process.argv.push(full || path.resolve(name), ...rest);
    if (full === undefined) {
      const e = new Error(`Cannot find module '${path.resolve(name)}'`);
      e.code = 'MODULE_NOT_FOUND';
      throw e;
    }
    if (commonJS(full)) Module._load(full, null, true);
    else wait(host.evaluate(text(full), full, true));
  }

  function wait(promise) {
    unfinished = promise;
    promise.then(() => { unfinished = null; }, (e) => {
      unfinished = null;
      fatal(e);
    });
  }

  return {
    start(args, env, dir) {
      if (dir !== '') process.chdir(dir);
      for (const pair of env) {
        const at = pair.indexOf('=');
        if (at > 0) process.env[pair.slice(0, at)] = pair.slice(at + 1);
      }
      guard(() => begin(args));
      settled();
      return 0;
    },
    tick() {
      const ms = turn((f) => {
        guard(f);
        settled();
      });
      if (ms >= 0) return ms;
      guard(() => process.emit('beforeExit', Number(process.exitCode) || 0));
      settled();
      return busy() ? 0 : -1;
    },
    leave() {
      if (unfinished !== null && process.exitCode === undefined) process.exitCode = 13;
      leaving();
      status = Number(process.exitCode) || 0;
      return status;
    },
    load(source) {
      const m = new Module('/prepare.js', null);
      m.filename = m.id;
      m._compile(source, m.id);
      settled();
      return 0;
    },
    rejected,
    resolve(base, name) {
      if (name.startsWith('file://')) name = name.slice(7);
      if (isBuiltin(name)) return name.startsWith('node:') ? name : `node:${name}`;
      return find(name, path.dirname(base), undefined);
    },
    source(name) {
      if (name.startsWith('node:') || commonJS(name)) return surface(name);
      return text(name);
    },
  };
})
