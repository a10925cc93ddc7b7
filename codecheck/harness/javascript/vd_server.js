'use strict';
// The fork server: a Node process that has loaded the harness, and forks a child for each job.
//
// The protocol is stated in Go beside sandbox.Server; what JavaScript cannot do is in vd_fork.c. Candidates and testers have
// servers of their own; what a job reads reaches it after the fork, so a server has nothing to remember. V8 runs without threads of
// its own, since none would be there after a fork.
//
// What a program can see of the difference: process.execArgv was put back, but performance.timeOrigin is the server's, and modules
// that were loaded ahead are in the cache of modules. Math.random goes on from another place in each child.
const fs = require('fs');
const { rehearse } = require('vd_rehearsal');

const CONTROL = 3;
const OURS = {
  candidate: ['vd_candidate', 'vd_peer', 'vd_call', 'vd_script'],
  tester: ['vd_tester', 'vd_suites', 'vd_candidate'],
};
const ROOM = 1 << 20;

function main() {
  const side = process.argv[3];
  const native = { exports: {} };
  process.dlopen(native, process.env.LD_PRELOAD);
  const addon = native.exports;
  const modules = Object.fromEntries(OURS[side].map((n) => [n, require(n)]));
  if (!addon.alone()) process.reallyExit(1);
  rehearse(side);
  addon.keep();
  const server = new Server(addon, modules);
  server.send({ ready: true, repeats: true });
  const args = server.serve();
  if (args) modules[args[0]].main();
}

class Server {
  constructor(addon, modules) {
    this.addon = addon;
    this.modules = modules;
    this.arena = new ArrayBuffer(ROOM);
    this.base = BigInt(addon.address(this.arena));
    this.words = new BigInt64Array(this.arena);
    this.text = '';
    this.order = null;
  }

  send(value) {
    fs.writeSync(CONTROL, JSON.stringify(value));
  }

  // Serves until the end; in a child, the job's arguments.
  serve() {
    for (;;) {
      const [text, ...fds] = this.addon.receive(CONTROL);
      if (text === '') process.reallyExit(0);
      if (text !== this.text) { // a slot's orders are mostly equal
        const value = JSON.parse(text);
        if ('join' in value) {
          this.join(fds);
          continue;
        }
        this.text = text;
        this.prepare(value);
      }
      const { order } = this;
      fds.forEach((fd, i) => this.addon.move(fd, order.fds[i]));
      const pid = this.addon.fork(this.arena);
      if (pid === 0) return this.child(order);
      for (const fd of order.fds) fs.closeSync(fd);
      this.send(pid > 0 ? { pid } : { error: `clone3: errno ${-pid}` });
    }
  }

  join(fds) {
    for (const fd of fds) {
      fs.writeSync(fd, '0');
      fs.closeSync(fd);
    }
    this.send({ joined: true });
  }

  // Lays an order out in memory as struct order of vd_fork.c; the blocks that calls point to stand behind it.
  prepare(value) {
    const { words } = this;
    this.order = value;
    value.clone.forEach((n, i) => { words[i] = BigInt(n); });
    words[11] = BigInt(value.report);
    if (!value.calls) return; // those of the order before
    words[12] = BigInt(value.calls.length);
    this.free = (13 + 8 * value.calls.length) * 8;
    value.calls.forEach(([, number, ignore, ...args], i) => {
      const at = 13 + 8 * i;
      words[at] = BigInt(number);
      words[at + 1] = ignore ? 1n : 0n;
      for (let k = 0; k < 6; k++) words[at + 2 + k] = k < args.length ? this.argument(args[k]) : 0n;
    });
  }

  argument(a) {
    if (typeof a === 'number') return BigInt.asIntN(64, BigInt(a));
    const at = this.block(a[0]);
    if (a.length > 1) new DataView(this.arena).setBigInt64(at + a[1], this.base + BigInt(this.block(a[2])), true);
    return this.base + BigInt(at);
  }

  block(base64) {
    const bytes = Buffer.from(base64, 'base64'), at = this.free;
    this.free = (at + bytes.length + 15) & ~15;
    if (this.free > ROOM) throw new Error('the order is too large');
    new Uint8Array(this.arena).set(bytes, at);
    return at;
  }

  // What a child ends with is told to the library, whichever way it ends.
  ends() {
    const { addon } = this, { emit, reallyExit } = process;
    const hidden = (value) => ({ value, writable: true, configurable: true, enumerable: false });
    Object.defineProperty(process, 'emit', hidden(function (...args) {
      const r = Reflect.apply(emit, this, args);
      if (args[0] === 'exit') addon.code(Number(process.exitCode ?? args[1] ?? 0) | 0);
      return r;
    }));
    Object.defineProperty(process, 'reallyExit', hidden((code) => {
      addon.code(Number(code ?? process.exitCode ?? 0) | 0);
      reallyExit.call(process, code);
    }));
  }

  // A child looks like a process of its own.
  child(order) {
    this.addon.environment(...(order.env || []).flatMap((pair) => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)]));
    process.argv = [process.argv[0], ...order.args.slice(1)];
    process.execArgv.length = 0;
    process.mainModule = undefined;
    this.ends();
    Object.defineProperty(process, 'pid', { value: ownPid(), enumerable: true, configurable: true, writable: false });
    for (let n = Number(process.hrtime.bigint() % 1009n); n > 0; n--) Math.random();
    return order.args;
  }
}

function ownPid() {
  try {
    return Number(fs.readlinkSync('/proc/self'));
  } catch {
    return process.pid;
  }
}

module.exports = { main };
