'use strict';
// A program that is run for its own sake, as the main module.
const Module = require('module');

function main() {
  process.exitCode = undefined;
  Module.runMain(process.argv[1]);
}

module.exports = { main };
