'use strict';
// Why a text cannot be split from the program, by what it says alone: it changes what both stand on, looks at files or processes
// that both use, derives classes from the program's. '' where it can be split.
const MODULES = new Set('fs fs/promises child_process vm worker_threads cluster module inspector v8 repl'.split(' '));
const COMMON = new Set('Math Date JSON Object Array String Number Promise Map Set Symbol RegExp Function Error process globalThis global Intl Reflect performance crypto'.split(' '));
const SETTERS = new Set(['defineProperty', 'defineProperties', 'assign', 'setPrototypeOf']);
const ASSIGNS = (list, i) => list[i] && list[i].v === '=' && !(list[i + 1] && list[i + 1].v === '=' && list[i + 1].at === list[i].end);

function mustShare(text) {
  for (const [name] of text.modules) {
    const bare = name.replace(/^node:/, '');
    if (MODULES.has(bare)) return `it uses ${bare}`;
  }
  const free = (w) => text.words.has(w) && !text.binds.has(w);
  for (const w of ['eval', 'localStorage']) if (free(w)) return `it uses ${w}`;
  if (text.has('mock', '.', 'timers') || text.has(/^(jest|vi)$/, '.', /^(mock|useFakeTimers|unmock|doMock|resetModules|spyOn)$/)) return 'it patches what the program uses';
  if (text.has('require', '.', 'cache')) return 'it uses require.cache';
  return changed(text) || derived(text);
}

// changed finds an assignment to a global, or below it, that the program sees too.
function changed(text) {
  const { list } = text;
  for (let i = 0; i < list.length; i++) {
    const t = list[i], before = list[i - 1];
    if (t.kind !== 'word' || !COMMON.has(t.v) || text.binds.has(t.v) || before && (before.v === '.' || before.v === '?.')) continue;
    let k = i + 1;
    while (list[k] && list[k].v === '.' && list[k + 1]) k += 2;
    if (list[k] && list[k].v === '[') k = list.findIndex((x, at) => at > k && x.v === ']' && x.depth === list[k].depth) + 1;
    if (k > i + 1 && ASSIGNS(list, k) && list[i + 2].v !== 'exitCode') return `it changes ${t.v}`;
    if (before && before.v === '(' && list[i - 2] && (SETTERS.has(list[i - 2].v) || list[i - 2].v === 'method') && list[k].v === ',') return `it changes ${t.v}`;
  }
  return '';
}

function derived(text) {
  const { list } = text;
  for (let i = 0; i + 1 < list.length; i++) {
    if (list[i].v !== 'extends' || list[i].kind !== 'word') continue;
    const base = list[i + 1].v;
    const imported = text.statements.some((s) => s.binds.includes(base) && (s.first === 'import' || s.list.some((t) => t.v === 'require')) && s.list.some((t) => t.kind === 'text' && /^.\.{0,2}\//.test(t.v)));
    if (imported || !text.binds.has(base) && !(base in globalThis)) return "it derives a class from one of the program's";
  }
  return '';
}

module.exports = { mustShare };
