// util.inspect and util.format: how console.log shows values, in the layout of Node 20. A value is first made into a list of entries ('a: 1'),
// which then go on one line when they are short and shallow enough, in aligned columns when they are the many elements of an array, and else on
// a line each. One file, because every kind of value needs every other and all share the same context.
(function (host, modules) {
  'use strict';

  const WIDTH = 80, COMPACT = 3, ROW = 16;
  const custom = Symbol.for('nodejs.util.inspect.custom');
  const DEFAULTS = { depth: 2, showHidden: false, showProxy: false, maxArrayLength: 100, maxStringLength: 10000, breakLength: 128, compact: COMPACT,
    sorted: false, getters: false, numericSeparator: false, colors: false, customInspect: true };
  const IDENTIFIER = /^[a-zA-Z_][a-zA-Z_0-9]*$/;
  const ESCAPES = { '\b': '\\b', '\t': '\\t', '\n': '\\n', '\f': '\\f', '\r': '\\r', '\\': '\\\\', '\v': '\\x0B' };
  const hasOwn = Object.hasOwn;

  function quote(s) {
    let q = "'";
    if (s.includes("'")) q = !s.includes('"') ? '"' : !s.includes('`') && !s.includes('${') ? '`' : "'";
    const escaped = s.replace(/[\x00-\x1f\x7f-\x9f\\']|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g, (c) => {
      if (c === "'") return q === "'" ? "\\'" : c;
      if (ESCAPES[c]) return ESCAPES[c];
      const n = c.charCodeAt(0);
      return n < 256 ? '\\x' + n.toString(16).toUpperCase().padStart(2, '0') : '\\u' + n.toString(16).toUpperCase();
    });
    return q + escaped + q;
  }

  const numeral = (n) => (Object.is(n, -0) ? '-0' : String(n));
  const plural = (n) => (n > 1 ? 's' : '');
  const more = (n) => `... ${n} more item${plural(n)}`;

  function primitive(ctx, v) {
    switch (typeof v) {
      case 'string': {
        let rest = '';
        if (v.length > ctx.maxStringLength) {
          const left = v.length - ctx.maxStringLength;
          v = v.slice(0, ctx.maxStringLength);
          rest = `... ${left} more character${plural(left)}`;
        }
        if (v.length > ROW && v.length > ctx.breakLength - ctx.indent - 4 && ctx.level > 0) {
          return v.split(/(?<=\n)/).map(quote).join(` +\n${' '.repeat(ctx.indent + 2)}`) + rest;
        }
        return quote(v) + rest;
      }
      case 'number': return numeral(v);
      case 'bigint': return `${v}n`;
      default: return String(v); // symbol, boolean, undefined, null
    }
  }

  // ownerOf finds the name of the constructor that made a value: the first one up the chain of prototypes that is its own.
  function ownerOf(v) {
    for (let o = v; o; o = Object.getPrototypeOf(o)) {
      const d = Object.getOwnPropertyDescriptor(o, 'constructor');
      if (d !== undefined && typeof d.value === 'function' && d.value.name !== '' && isInstance(v, d.value)) return d.value.name;
    }
    return null;
  }

  function isInstance(v, C) {
    try { return v instanceof C; } catch { return false; }
  }

  function prefix(owner, tag, fallback, size) {
    const count = size === undefined ? '' : `(${size})`;
    if (owner === null) return tag !== '' && tag !== fallback ? `[${fallback}${count}: null prototype] [${tag}] ` : `[${fallback}${count}: null prototype] `;
    return tag !== '' && tag !== owner ? `${owner}${count} [${tag}] ` : `${owner}${count} `;
  }

  function keysOf(ctx, v) {
    if (ctx.showHidden) return Reflect.ownKeys(v).filter((k) => typeof k !== 'string' || !(Array.isArray(v) && k === 'length'));
    const keys = Object.keys(v);
    for (const s of Object.getOwnPropertySymbols(v)) if (Object.prototype.propertyIsEnumerable.call(v, s)) keys.push(s);
    return keys;
  }

  const isIndex = (k) => typeof k === 'string' && /^(0|[1-9][0-9]*)$/.test(k) && +k < 4294967295;

  function keyText(ctx, k, d) {
    let text;
    if (typeof k === 'symbol') text = `[${String(k).replace(/[\x00-\x1f]/g, (c) => quote(c).slice(1, -1))}]`;
    else if (k === '__proto__') text = "['__proto__']";
    else text = IDENTIFIER.test(k) ? k : quote(k);
    return d.enumerable === false ? `[${text.replace(/^\[|\]$/g, '')}]` : text;
  }

  function property(ctx, v, level, k, bare) {
    const d = Object.getOwnPropertyDescriptor(v, k) || { value: v[k], enumerable: true };
    let text;
    ctx.indent += 2;
    if (d.get !== undefined) text = d.set !== undefined ? '[Getter/Setter]' : '[Getter]';
    else if (d.set !== undefined) text = '[Setter]';
    else text = show(ctx, d.value, level);
    ctx.indent -= 2;
    return bare ? text : `${keyText(ctx, k, d)}: ${text}`;
  }

  function elements(ctx, v, level) {
    const out = [], limit = Math.min(Math.max(0, ctx.maxArrayLength), v.length);
    let i = 0;
    while (i < v.length && out.length < limit) {
      if (hasOwn(v, i)) {
        out.push(property(ctx, v, level, String(i), true));
        i++;
        continue;
      }
      let end = i;
      while (end < v.length && !hasOwn(v, end)) end++;
      out.push(`<${end - i} empty item${plural(end - i)}>`);
      i = end;
    }
    if (i < v.length) out.push(more(v.length - i));
    return out;
  }

  function numbers(ctx, v) {
    const n = Math.min(Math.max(0, ctx.maxArrayLength), v.length), out = [];
    for (let i = 0; i < n; i++) out.push(typeof v[i] === 'bigint' ? `${v[i]}n` : numeral(v[i]));
    if (n < v.length) out.push(more(v.length - n));
    return out;
  }

  function members(ctx, list, level, each) {
    const n = Math.min(Math.max(0, ctx.maxArrayLength), list.length), out = [];
    ctx.indent += 2;
    for (let i = 0; i < n; i++) out.push(each(list[i]));
    if (n < list.length) out.push(more(list.length - n));
    ctx.indent -= 2;
    return out;
  }

  function functionBase(v, owner, tag) {
    let source = '';
    try { source = Function.prototype.toString.call(v); } catch { /* a proxy */ }
    if (source.startsWith('class') && source.endsWith('}')) {
      let text = hasOwn(v, 'name') && v.name !== '' ? `[class ${v.name}` : '[class (anonymous)';
      if (owner !== 'Function' && owner !== null) text += ` [${owner}]`;
      if (tag !== '' && owner !== tag) text += ` [${tag}]`;
      const parent = Object.getPrototypeOf(v);
      if (parent && parent.name) text += ` extends ${parent.name}`;
      else if (parent === null) text += ' extends [null prototype]';
      return text + ']';
    }
    const kind = { 'async': 'AsyncFunction', 'function*': 'GeneratorFunction', 'async function*': 'AsyncGeneratorFunction' }[
      /^async\s+function\s*\*/.test(source) ? 'async function*' : /^async\b/.test(source) && tag === 'AsyncFunction' ? 'async' : tag === 'GeneratorFunction' ? 'function*' : ''] || 'Function';
    let text = `[${kind}`;
    if (owner === null) text += ' (null prototype)';
    text += v.name === '' || typeof v.name !== 'string' ? ' (anonymous)' : `: ${v.name}`;
    text += ']';
    if (owner !== kind && owner !== null && owner !== 'Function') text += ` ${owner}`;
    if (tag !== '' && owner !== tag && tag !== kind) text += ` [${tag}]`;
    return text;
  }

  // trimmed leaves out the frames of these files and what called the program.
  function trimmed(stack) {
    const end = stack.search(/^ {4}at evaluate \(native\)$/m);
    return (end < 0 ? stack : stack.slice(0, end)).replace(/^ {4}at .*node:internal\/.*\n?/gm, '').trimEnd();
  }

  // errorBase is the stack, with the line that names the error before its frames.
  function errorBase(ctx, e, owner, keys) {
    let text;
    try {
      const frames = typeof e.stack === 'string' ? trimmed(e.stack) : '';
      const name = e.name === undefined || e.name === null ? 'Error' : String(e.name), message = e.message === undefined ? '' : String(e.message);
      let head = message === '' ? name : name === '' ? message : `${name}: ${message}`;
      if (owner !== null && owner !== name && name === 'Error' && owner !== 'Error' && /^[A-Za-z_$][\w$]*$/.test(owner)) head = head.replace(/^Error/, owner);
      text = /^ {4}at /.test(frames) || frames === '' ? (frames === '' ? `[${head}]` : `${head}\n${frames}`) : frames;
    } catch {
      text = '[Error]';
    }
    for (const k of ['name', 'message', 'stack']) {
      const i = keys.indexOf(k);
      if (i >= 0 && text.includes(String(e[k]))) keys.splice(i, 1);
    }
    if ('cause' in e && hasOwn(e, 'cause') && !keys.includes('cause')) keys.push('cause');
    if (hasOwn(e, 'errors') && Array.isArray(e.errors) && !keys.includes('errors')) keys.push('errors');
    return ctx.indent > 0 ? text.replaceAll('\n', `\n${' '.repeat(ctx.indent)}`) : text;
  }

  const HEX = (bytes, limit) => Array.from(bytes.subarray(0, limit), (b) => b.toString(16).padStart(2, '0')).join(' ');

  // shape answers how a value is shown: braces, the text before them, its entries, and whether they may stand in columns.
  function shape(ctx, v, look, owner, tag, keys) {
    const kind = look[0];
    if (Array.isArray(v)) {
      const p = owner !== 'Array' || tag !== '' ? prefix(owner, tag, 'Array', v.length) : '';
      const extra = keys.filter((k) => !isIndex(k));
      keys.length = 0;
      keys.push(...extra);
      return { open: `${p}[`, close: ']', list: (level) => elements(ctx, v, level), columns: true, alone: v.length === 0 && keys.length === 0 ? `${p}[]` : undefined };
    }
    if (v instanceof Set && kind === 'Set') {
      const p = prefix(owner, tag, 'Set', v.size);
      return { open: `${p}{`, list: (level) => members(ctx, [...Set.prototype.values.call(v)], level, (x) => show(ctx, x, level)), alone: v.size === 0 && keys.length === 0 ? `${p}{}` : undefined };
    }
    if (v instanceof Map && kind === 'Map') {
      const p = prefix(owner, tag, 'Map', v.size);
      const pair = (level) => ([k, x]) => `${show(ctx, k, level)} => ${show(ctx, x, level)}`;
      return { open: `${p}{`, list: (level) => members(ctx, [...Map.prototype.entries.call(v)], level, pair(level)), alone: v.size === 0 && keys.length === 0 ? `${p}{}` : undefined };
    }
    if (ArrayBuffer.isView(v) && kind !== 'DataView') {
      const extra = keys.filter((k) => !isIndex(k));
      keys.length = 0;
      keys.push(...extra);
      const p = prefix(owner, tag, tag || 'TypedArray', v.length);
      return { open: `${p}[`, close: ']', list: () => numbers(ctx, v), columns: true, alone: v.length === 0 && keys.length === 0 ? `${p}[]` : undefined };
    }
    if (kind === 'Map Iterator' || kind === 'Set Iterator') return { open: `[${tag}] {`, list: () => [], alone: undefined, hidden: true };
    return null;
  }

  function plain(ctx, v, look, owner, tag, keys) {
    const kind = look[0];
    if (kind === 'Arguments') {
      const extra = keys.filter((k) => !isIndex(k));
      keys.length = 0;
      keys.push(...extra);
      return { open: '[Arguments] [', close: ']', list: (level) => elements(ctx, Array.from(v), level), columns: true, alone: v.length === 0 ? '[Arguments] []' : undefined };
    }
    if (typeof v === 'function') {
      const base = functionBase(v, owner, tag);
      return { open: '{', base, alone: keys.length === 0 ? base : undefined };
    }
    if (kind === 'RegExp') {
      let base = RegExp.prototype.toString.call(v);
      if (owner !== 'RegExp') base = prefix(owner, tag, 'RegExp') + base;
      return { open: '{', base, alone: keys.length === 0 ? base : undefined };
    }
    if (kind === 'Date') {
      let base = Number.isNaN(Date.prototype.getTime.call(v)) ? 'Invalid Date' : Date.prototype.toISOString.call(v);
      if (owner !== 'Date') base = prefix(owner, tag, 'Date') + base;
      return { open: '{', base, alone: keys.length === 0 ? base : undefined };
    }
    if (kind === 'Error') {
      const base = errorBase(ctx, v, owner, keys);
      return { open: '{', base, alone: keys.length === 0 ? base : undefined };
    }
    if (kind === 'ArrayBuffer' || kind === 'SharedArrayBuffer') {
      const bytes = new Uint8Array(v), cut = bytes.length > 50 ? ` ... ${bytes.length - 50} more byte${plural(bytes.length - 50)}` : '';
      return { open: `${prefix(owner, tag, kind)}{`, list: () => [`[Uint8Contents]: <${HEX(bytes, 50)}${cut}>`, `byteLength: ${bytes.length}`] };
    }
    if (kind === 'DataView') {
      return { open: `${prefix(owner, tag, kind)}{`, list: (level) => ['byteLength', 'byteOffset', 'buffer'].map((k) => property(ctx, { [k]: v[k] }, level, k, false)) };
    }
    if (kind === 'Promise') {
      const inner = (level) => {
        if (look[1] === 0) return ['<pending>'];
        ctx.indent += 2;
        const text = show(ctx, look[2], level);
        ctx.indent -= 2;
        return [look[1] === 2 ? `<rejected> ${text}` : text];
      };
      return { open: `${prefix(owner, tag, 'Promise')}{`, list: inner };
    }
    if (kind === 'WeakSet' || kind === 'WeakMap') return { open: `${prefix(owner, tag, kind)}{`, list: () => ['<items unknown>'] };
    if (kind === 'WeakRef') return { open: `${prefix(owner, tag, kind)}{`, list: () => ['<ref>'] };
    for (const B of [Number, String, Boolean, Symbol, BigInt]) {
      if (kind !== B.name) continue;
      const inner = B.prototype.valueOf.call(v);
      if (B === String) {
        const extra = keys.filter((k) => !isIndex(k));
        keys.length = 0;
        keys.push(...extra);
      }
      let base = `[${B.name}`;
      if (owner !== B.name) base += owner === null ? ' (null prototype)' : ` (${owner})`;
      base += `: ${primitive({ ...DEFAULTS, level: 0, indent: 0 }, inner)}]`;
      if (tag !== '' && tag !== owner) base += ` [${tag}]`;
      return { open: '{', base, alone: keys.length === 0 ? base : undefined };
    }
    if (tag === 'Module' && owner === null) return { open: '[Module: null prototype] {' };
    let open = owner === 'Object' && tag === '' ? '' : prefix(owner, tag, 'Object');
    return { open: `${open}{`, alone: keys.length === 0 ? `${open}{}` : undefined };
  }

  function show(ctx, v, level) {
    if (v === null || (typeof v !== 'object' && typeof v !== 'function')) {
      ctx.level = level;
      return primitive(ctx, v);
    }
    let look = host.look(v), original = v;
    if (look[0] === 'Proxy' || look[0] === undefined || look[2] !== undefined && look[1] !== null && typeof look[1] === 'object') {
      let target = v;
      for (let l = look; l[1] !== null && (typeof l[1] === 'object' || typeof l[1] === 'function'); l = host.look(target)) target = l[1];
      v = target;
      look = host.look(v);
    }
    if (ctx.customInspect) {
      const f = v[custom];
      if (typeof f === 'function' && f !== inspect) {
        const depth = ctx.depth === null ? null : ctx.depth - level;
        const { indent, seen, level: l, current, circular, ...options } = ctx;
        const answer = f.call(original, depth, { ...options, depth, stylize: (s) => String(s) }, inspect);
        if (answer !== original) return typeof answer === 'object' ? show(ctx, answer, level) : String(answer).replaceAll('\n', `\n${' '.repeat(ctx.indent)}`);
      }
    }
    if (ctx.seen.includes(v)) {
      if (!ctx.circular.has(v)) ctx.circular.set(v, ctx.circular.size + 1);
      return `[Circular *${ctx.circular.get(v)}]`;
    }
    return compound(ctx, v, look, level);
  }

  function compound(ctx, v, look, level) {
    const owner = ownerOf(v), keys = keysOf(ctx, v);
    let tag = v[Symbol.toStringTag];
    if (typeof tag !== 'string' || (tag !== '' && Object.prototype.propertyIsEnumerable.call(v, Symbol.toStringTag))) tag = '';
    const s = shape(ctx, v, look, owner, tag, keys) || plain(ctx, v, look, owner, tag, keys);
    if (s.alone !== undefined) return s.alone;
    if (ctx.depth !== null && level > ctx.depth) {
      const name = (owner === null ? prefix(owner, tag, Array.isArray(v) ? 'Array' : 'Object') : prefix(owner, tag, 'Object')).slice(0, -1);
      return owner === null ? `[${name}]` : `[${Array.isArray(v) && owner === 'Array' ? 'Array' : name}]`;
    }
    level++;
    ctx.seen.push(v);
    ctx.current = level;
    const out = s.list ? s.list(level) : [];
    for (const k of keys) out.push(property(ctx, v, level, k, false));
    ctx.seen.pop();
    let base = s.base || '';
    if (ctx.circular.has(v)) {
      const mark = `<ref *${ctx.circular.get(v)}>`;
      if (base === '' || ctx.compact !== true) s.open = base === '' ? `${mark} ${s.open}` : s.open;
      if (base !== '') base = `${mark} ${base}`;
    }
    if (ctx.sorted) out.sort();
    return layOut(ctx, out, base, s.open, s.close || '}', s.columns, level, v);
  }

  // layOut puts entries between braces.
  function layOut(ctx, out, base, open, close, columns, level, v) {
    const before = base === '' ? '' : `${base} `;
    if (ctx.compact !== false) {
      const entries = out.length;
      if (columns && entries > 6) out = inColumns(ctx, out, v);
      if (ctx.current - level < ctx.compact && entries === out.length) {
        const start = out.length + ctx.indent + open.length + base.length + 10;
        if (fits(ctx, out, start, base)) {
          const line = out.join(', ');
          if (!line.includes('\n')) return `${before}${open} ${line} ${close}`;
        }
      }
    }
    const margin = `\n${' '.repeat(ctx.indent)}`;
    return `${before}${open}${margin}  ${out.join(`,${margin}  `)}${margin}${close}`;
  }

  function fits(ctx, out, start, base) {
    let total = out.length + start;
    if (total + out.length > ctx.breakLength) return false;
    for (const s of out) total += s.length;
    return total <= ctx.breakLength && !base.includes('\n');
  }

  // inColumns joins the elements of a long array into rows of aligned columns: about as many columns as make the block 2.5 times as wide
  // as high, at most 4 for each step of compactness and 15 in all. Numbers are aligned to the right, everything else to the left.
  function inColumns(ctx, out, v) {
    const n = ctx.maxArrayLength < out.length ? out.length - 1 : out.length; // the last may be "... more items"
    const widths = out.slice(0, n).map((s) => s.length), widest = Math.max(0, ...widths);
    const total = widths.reduce((a, w) => a + w + 2, 0), cell = widest + 2;
    if (cell * 3 + ctx.indent >= ctx.breakLength || !(total / cell > 5 || widest <= 6)) return out;
    const bias = Math.sqrt(cell - total / out.length), biased = Math.max(cell - 3 - bias, 1);
    const count = Math.min(Math.round(Math.sqrt(2.5 * biased * n) / biased), Math.floor((ctx.breakLength - ctx.indent) / cell), ctx.compact * 4, 15);
    if (count <= 1) return out;
    const columnWidth = [];
    for (let c = 0; c < count; c++) {
      let w = 0;
      for (let i = c; i < n; i += count) w = Math.max(w, widths[i]);
      columnWidth.push(w + 2);
    }
    const right = v !== undefined && Array.prototype.every.call(v, (x) => typeof x === 'number' || typeof x === 'bigint');
    const rows = [];
    for (let i = 0; i < n; i += count) {
      const row = [], end = Math.min(i + count, n);
      for (let j = i; j < end; j++) {
        const last = j === end - 1, text = last ? out[j] : `${out[j]}, `, w = columnWidth[j - i];
        row.push(right ? text.padStart(last ? w - 2 : w) : last ? text : text.padEnd(w));
      }
      rows.push(row.join(''));
    }
    return n < out.length ? [...rows, out[n]] : rows;
  }

  function context(options) {
    return { ...DEFAULTS, ...options, indent: 0, seen: [], circular: new Map(), current: 0, level: 0 };
  }

  function inspect(value, options, ...old) {
    const ctx = context(typeof options === 'object' && options !== null ? options : {});
    if (typeof options === 'boolean') ctx.showHidden = options;
    if (old.length > 0 && old[0] !== undefined) ctx.depth = old[0];
    if (ctx.depth === Infinity) ctx.depth = null;
    if (ctx.maxArrayLength === null) ctx.maxArrayLength = Infinity;
    if (ctx.maxStringLength === null) ctx.maxStringLength = Infinity;
    if (ctx.compact === true) ctx.compact = COMPACT;
    return show(ctx, value, 0);
  }
  inspect.custom = custom;
  inspect.defaultOptions = DEFAULTS;

  function asString(v) {
    if (typeof v === 'bigint') return `${v}n`;
    if (typeof v === 'number') return numeral(v);
    if (typeof v !== 'object' || v === null) return String(v);
    if (typeof v.toString === 'function' && hasUserToString(v)) return String(v);
    return inspect(v, { depth: 0, compact: 3, breakLength: WIDTH });
  }

  function hasUserToString(v) {
    if (host.look(v)[0] === 'Error') return true;
    for (let o = v; o; o = Object.getPrototypeOf(o)) {
      if (!hasOwn(o, 'toString')) continue;
      const owner = Object.getOwnPropertyDescriptor(o, 'constructor');
      const builtin = owner && typeof owner.value === 'function' && globalThis[owner.value.name] === owner.value;
      return !builtin;
    }
    return false;
  }

  function directive(c, v) {
    switch (c) {
      case 's': return asString(v);
      case 'd': return typeof v === 'bigint' ? `${v}n` : typeof v === 'symbol' || (typeof v === 'object' && v !== null && !hasUserToString(v)) ? 'NaN' : numeral(Number(v));
      case 'i': return typeof v === 'bigint' ? `${v}n` : typeof v === 'symbol' || typeof v === 'object' ? 'NaN' : numeral(parseInt(v));
      case 'f': return typeof v === 'symbol' ? 'NaN' : numeral(parseFloat(v));
      case 'j':
        try { return JSON.stringify(v); } catch (e) {
          if (String(e.message).includes('circular')) return '[Circular]';
          throw e;
        }
      case 'o': return inspect(v, { showHidden: true, showProxy: true, depth: 4 });
      case 'O': return inspect(v);
      default: return '';
    }
  }

  function format(...args) {
    let out = '', i = 0;
    if (typeof args[0] === 'string') {
      if (args.length === 1) return args[0];
      i = 1;
      out = args[0].replace(/%[sdifjoOc%]/g, (m) => {
        if (m === '%%') return '%';
        return i < args.length ? directive(m[1], args[i++]) : m;
      });
      if (i < args.length) out += ' ';
    }
    return out + args.slice(i).map((v) => (typeof v === 'string' ? v : inspect(v, { breakLength: WIDTH }))).join(' ');
  }

  modules.util = { inspect, format };
})
