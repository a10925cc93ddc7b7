'use strict';
// Statements of ECMAScript modules as statements of a function with require and exports.
const { unquote } = require('vd_text');

// script is the text with its imports and exports turned into calls; the same text where it has none.
function script(text) {
  if (!text.statements.some(isModule)) return text.source;
  const { lines, late } = converted(text);
  return lines.join('\n') + late;
}

// converted gives a text for each statement, and what comes after the last.
function converted(text) {
  const late = [];
  const lines = text.statements.map((s, i) => (isModule(s) ? convert(s, i, late) : s.text));
  return { lines, late: '\n' + late.join('') };
}

function isModule(s) {
  return s.first === 'export' || s.first === 'import' && s.declares;
}

function convert(s, i, late) {
  const words = s.list.map((t) => t.v).filter((v) => v !== ';');
  return s.first === 'import' ? imported(words, `__vd_m${i}`) : exported(s, words, `__vd_m${i}`, late);
}

function imported(words, m) {
  const from = words.length - 1, name = unquote(words[from]);
  let out = `const ${m} = require(${JSON.stringify(name)});`;
  for (let i = 1; i < from - 1; i++) {
    if (words[i] === ',') continue;
    if (words[i] === '*') {
      out += `const ${words[i + 2]} = ${m};`;
      i += 2;
    } else if (words[i] === '{') {
      const end = words.indexOf('}', i);
      out += `const {${pairs(words.slice(i + 1, end)).map(([a, b]) => `${a}: ${b}`).join(',')}} = ${m};`;
      i = end;
    } else out += `const ${words[i]} = 'default' in Object(${m}) ? ${m}.default : ${m};`;
  }
  return out;
}

// pairs of "a, b as c": [a, a], [b, c].
function pairs(words) {
  const out = [];
  for (let i = 0; i < words.length; i++) {
    if (words[i] === ',') continue;
    const as = words[i + 1] === 'as';
    out.push([words[i], as ? words[i + 2] : words[i]]);
    if (as) i += 2;
  }
  return out;
}

const later = (name, value) => `Object.defineProperty(exports, ${JSON.stringify(name)}, {enumerable: true, configurable: true, get: () => ${value}});`;

function exported(s, words, m, late) {
  const rest = s.text.replace(/^export\s*/, '');
  if (words[1] === '{') {
    const end = words.indexOf('}'), from = words.indexOf('from', end);
    const list = pairs(words.slice(2, end));
    if (from > 0) return `const ${m} = require(${words[from + 1]});` + list.map(([a, b]) => later(b, `${m}.${a}`)).join('');
    late.push(...list.map(([a, b]) => later(unquoted(b), a)));
    return '';
  }
  if (words[1] === '*') return `Object.assign(exports, require(${words[words.length - 1]}));`;
  if (words[1] === 'default') return fallback(rest.replace(/^default\s*/, ''), words.slice(2), m, late);
  late.push(...s.binds.map((n) => later(n, n)));
  return rest;
}

const unquoted = (name) => (/^['"]/.test(name) ? unquote(name) : name);

function fallback(rest, words, m, late) {
  const at = words[0] === 'async' ? 1 : 0;
  const name = ['function', 'class'].includes(words[at]) ? words.slice(at + 1).find((w) => w !== '*') : '';
  if (name && name !== '(' && name !== '{' && name !== 'extends') {
    late.push(later('default', name));
    return rest;
  }
  late.push(later('default', m));
  return `const ${m} = ${rest}`;
}

module.exports = { script, converted };
