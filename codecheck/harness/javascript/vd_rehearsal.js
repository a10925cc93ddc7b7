'use strict';
// What every job does is done once before the first fork, so that the functions for it are compiled.
const { Encoder, Decoder } = require('vd_wire');
const { Text } = require('vd_text');
const { script } = require('vd_modules');

const SAMPLE = `const a = require('assert');\nfunction f(x) { return x + 1; }\nclass A { m() { return [1, { b: \`\${2}\` }]; } }\na.equal(f(1), 2);\n`;

function rehearse(side) {
  const lend = () => null;
  const value = [1, -0, 'x', { a: [true, null, undefined], m: new Map([[1, new Set([2])]]) }, new Date(0), /x/g, 5n, new TypeError('x')];
  new Decoder(() => undefined).value(JSON.parse(JSON.stringify(new Encoder(lend).value(value))));
  script(new Text(SAMPLE));
  if (side === 'tester') require('assert').deepStrictEqual([{ a: 1 }], [{ a: 1 }]);
  else new (require('vd_candidate').Program)({ file: '/work/main.js', before: [], source: SAMPLE }).load();
}

module.exports = { rehearse };
