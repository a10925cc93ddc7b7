'use strict';
// What a text says of itself without being run: its tokens, its statements at the top, the names that these declare, and its
// imports and exports, which are turned into calls of require so that the text can run as a function.
//
// There is no parser here. Statements are told apart by brackets, line ends and the first token of the next line; where such a
// piece does not compile by itself it is joined with the one after it, so that a wrong guess costs a boundary and never a meaning.
const vm = require('vm');

const TOKEN = new RegExp([
  '(?<space>[\\s\\uFEFF]+|//[^\\n\\r\\u2028\\u2029]*|/\\*[^]*?\\*/|#![^\\n]*)',
  '(?<word>#?[\\p{ID_Start}$_\\\\][\\p{ID_Continue}$\\u200c\\u200d\\\\]*)',
  '(?<number>(?:0[xXoObB][\\da-fA-F_]+|(?:\\d[\\d_]*\\.?[\\d_]*|\\.\\d[\\d_]*)(?:[eE][+-]?\\d+)?)n?)',
  '(?<text>"(?:[^"\\\\\\n]|\\\\[^])*"|\'(?:[^\'\\\\\\n]|\\\\[^])*\')',
  '(?<punct>=>|\\.\\.\\.|\\?\\.(?!\\d)|\\+\\+|--|[{}()[\\];,<>+\\-*/%&|^!~?:=.@`])',
].join('|'), 'uy');
const REGEX = /\/(?:[^/\\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/[a-z]*/y;
const TEMPLATE = /(?:[^`\\$]|\\[^]|\$(?!\{))*(`|\$\{)/y;
const BEFORE_REGEX = new Set('return typeof case in of delete void throw new else do await yield instanceof'.split(' '));
const JOINS = new Set('else catch finally . ?. , ) ] : = => + - * / % & | ^ ? < > ( [ `'.split(' ').concat('instanceof', 'in'));
const BLOCKS = new Set('function class if for while switch try {'.split(' '));
const STATEMENTS = new Set('if for while do switch try throw return break continue debugger with { ;'.split(' '));

class Unreadable extends Error {}

// tokens gives [{ kind, v, at, end, line (a line end stands before it), depth }]; brackets have the depth of what is around them.
function tokens(source) {
  const list = [], templates = [];
  let at = 0, depth = 0, line = false;
  const push = (kind, v) => {
    list.push({ kind, v, at, end: at + v.length, line, depth });
    line = false;
    at += v.length;
  };
  const match = (re) => {
    re.lastIndex = at;
    const m = re.exec(source);
    if (!m) throw new Unreadable(`at ${at}`);
    return m;
  };
  while (at < source.length) {
    const last = list[list.length - 1];
    if (source[at] === '/' && source[at + 1] !== '/' && source[at + 1] !== '*' && startsRegex(last, line)) {
      push('regex', match(REGEX)[0]);
      continue;
    }
    if (source[at] === '}' && templates[templates.length - 1] === depth) {
      templates.pop();
      depth--;
      push('text', '}');
      template();
      continue;
    }
    const m = match(TOKEN), g = m.groups;
    if (g.space !== undefined) {
      line = line || /[\n\r\u2028\u2029]/.test(g.space);
      at += g.space.length;
    } else if (m[0] === '`') {
      push('text', '`');
      template();
    } else {
      if (')]}'.includes(m[0])) depth--;
      push(g.word !== undefined ? 'word' : g.punct !== undefined ? 'punct' : g.text !== undefined ? 'text' : 'number', m[0]);
      if ('([{'.includes(m[0])) depth++;
    }
  }
  return list;

  // The text of a template up to its end or to an expression in it, as part of the last token.
  function template() {
    const m = match(TEMPLATE);
    at += m[0].length;
    if (m[1] !== '`') templates.push(++depth);
    list[list.length - 1].end = at;
  }
}

function startsRegex(last, line) {
  if (!last) return true;
  if (last.kind === 'word') return BEFORE_REGEX.has(last.v);
  return last.kind === 'punct' && last.v !== ')' && last.v !== ']' && (last.v !== '}' || line) && last.v !== '++' && last.v !== '--';
}

// compiles reports whether a text is a function's body, in a function that may wait.
function compiles(text) {
  try {
    new vm.Script(`(async function () {${text}\n})`);
    return true;
  } catch {
    return false;
  }
}

// pieces cuts tokens into statements by what can be seen: [first, past the last].
function pieces(list) {
  const cuts = [];
  let from = 0;
  const cut = (to) => {
    if (to > from) cuts.push([from, to]);
    from = to;
  };
  for (let i = 0; i < list.length; i++) {
    const t = list[i], next = list[i + 1];
    if (t.depth !== 0 || '([{'.includes(t.v) && t.kind === 'punct') continue;
    if (t.v === ';' && t.kind === 'punct') cut(i + 1);
    else if (t.v === '}' && ends(list, from, next)) cut(i + 1);
    else if (next && next.line && next.depth === 0 && !(next.kind !== 'text' && JOINS.has(next.v)) && next.v !== '`') cut(i + 1);
  }
  cut(list.length);
  return cuts;
}

// ends reports whether a closing brace ends the statement that began at from.
function ends(list, from, next) {
  let first = list[from].v;
  if (first === 'export') first = list[from + 1].v === 'default' ? list[from + 2].v : list[from + 1].v;
  if (first === 'async' && list.slice(from, from + 4).some((t) => t.v === 'function')) first = 'function';
  return BLOCKS.has(first) && !(next && ['else', 'catch', 'finally'].includes(next.v));
}

// A statement at the top of a text.
class Statement {
  constructor(source, list) {
    this.list = list;
    this.text = source.slice(list[0].at, list[list.length - 1].end);
    const [a, b] = list;
    this.first = a.v === 'async' && b && b.v === 'function' && !b.line ? 'function' : a.v;
    this.binds = this.names(list); // names that it declares
  }

  names(list) {
    const [a, b] = list.map((t) => t.v);
    if (a === 'export') return this.names(list.slice(b === 'default' ? 2 : 1));
    if (a === 'const' || a === 'let' || a === 'var') return declared(list.slice(1));
    if (a !== 'function' && a !== 'class' && !(a === 'async' && b === 'function')) return a === 'import' ? imports(list) : [];
    return list.slice(1, 4).filter((t) => t.kind === 'word' && t.v !== 'function' && t.v !== 'extends').slice(0, 1).map((t) => t.v);
  }

  get declares() {
    return ['const', 'let', 'var', 'function', 'class', 'import', 'export'].includes(this.first) && !(this.first === 'import' && this.list[1] && '(.'.includes(this.list[1].v));
  }

  // Whether it counts as a test: what declares nothing, is no prelude, and is not what compilers write for exports.
  get counts() {
    return !this.given && !this.declares && !this.constant && !/^(Object\.defineProperty\(exports,|exports\.\w+ = )/.test(this.text);
  }

  // An expression and nothing else.
  get expression() {
    return !this.declares && !STATEMENTS.has(this.first) && !(this.list[1] && this.list[1].v === ':');
  }

  // A directive or a lonely constant.
  get constant() {
    return this.list.every((t) => t.kind === 'text' || t.kind === 'number' || t.v === ';');
  }
}

// declared are the names that the declarators of const, let or var bind: what stands before each "=" at the top.
function declared(list) {
  const names = [];
  let value = false;
  for (let i = 0; i < list.length; i++) {
    const t = list[i];
    if (t.kind === 'punct' && t.depth === 0 && t.v === '=') value = true;
    else if (t.kind === 'punct' && t.depth === 0 && t.v === ',') value = false;
    else if (!value && t.kind === 'word' && !(list[i + 1] && list[i + 1].v === ':')) names.push(t.v);
  }
  return names;
}

// imports are the names that an import statement binds: each word that is not renamed by the one after it.
function imports(list) {
  return list.slice(1).filter((t, i) => t.kind === 'word' && !['from', 'as'].includes(t.v) && !(list[i + 2] && list[i + 2].v === 'as')).map((t) => t.v);
}

class Text {
  constructor(source) {
    this.source = source.replace(/^\uFEFF/, '').replace(/^#!/, '//');
    this.list = tokens(this.source);
    this.statements = this.split();
    this.words = new Map(); // identifiers that are no property names: how often
    this.list.forEach((t, i) => {
      const before = this.list[i - 1];
      if (t.kind === 'word' && !(before && (before.v === '.' || before.v === '?.'))) this.words.set(t.v, (this.words.get(t.v) || 0) + 1);
    });
    this.binds = new Set(this.statements.flatMap((s) => s.binds));
    this.modules = this.required();
  }

  split() {
    const out = [];
    let from = -1;
    for (const [a, b] of pieces(this.list)) {
      if (from < 0) from = a;
      const s = new Statement(this.source, this.list.slice(from, b));
      if (!s.text.match(/^(import|export)\b/) && !compiles(s.text)) continue;
      if (s.text !== ';') out.push(s);
      from = -1;
    }
    if (from >= 0) out.push(new Statement(this.source, this.list.slice(from)));
    return out;
  }

  // Names of the modules that the text asks for: [name, inside of a try or a function].
  required() {
    const names = [];
    for (let i = 0; i + 1 < this.list.length; i++) {
      const t = this.list[i], next = this.list[i + 1], arg = this.list[i + 2];
      if (t.v === 'require' && next.v === '(' && arg && arg.kind === 'text') names.push([unquote(arg.v), t.depth > 0]);
      else if (t.v === 'import' && next.v === '(' && arg && arg.kind === 'text') names.push([unquote(arg.v), true]);
      else if ((t.v === 'from' || t.v === 'import') && next.kind === 'text' && t.depth === 0) names.push([unquote(next.v), false]);
    }
    return names;
  }

  // Whether the words stand one after the other somewhere.
  has(...words) {
    return this.list.some((_, i) => words.every((w, k) => this.list[i + k] && (w instanceof RegExp ? w.test(this.list[i + k].v) : this.list[i + k].v === w)));
  }
}

function unquote(v) {
  return v.slice(1, -1);
}

module.exports = { Text, Unreadable, compiles, unquote };
