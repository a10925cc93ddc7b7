// EventEmitter, timers, and the queues behind them: nextTick, then promises, then immediates and timers in the order of their time.
(function (host, modules) {
  'use strict';

  const { coded, badType } = modules.internal;

  // The listeners of each emitter. Kept beside it, since emitters are also made without this constructor (util.inherits, Object.assign).
  const all = new WeakMap();

  function listsOf(emitter) {
    if (!all.has(emitter)) all.set(emitter, new Map());
    return all.get(emitter);
  }

  function EventEmitter() {}
  EventEmitter.EventEmitter = EventEmitter;
  EventEmitter.defaultMaxListeners = 10;
  EventEmitter.once = (emitter, name) => new Promise((resolve, reject) => {
    const fail = (e) => {
      emitter.removeListener(name, done);
      reject(e);
    };
    const done = (...args) => {
      emitter.removeListener('error', fail);
      resolve(args);
    };
    emitter.once(name, done);
    if (name !== 'error') emitter.once('error', fail);
  });

  function add(emitter, name, f, once, first) {
    if (typeof f !== 'function') throw badType('listener', 'of type function', f);
    const lists = listsOf(emitter);
    if (name !== 'newListener' && lists.has('newListener')) emitter.emit('newListener', name, f);
    const list = lists.get(name) || [], entry = { f, once };
    lists.set(name, first ? [entry, ...list] : [...list, entry]);
    return emitter;
  }

  const methods = {
    on(name, f) { return add(this, name, f, false, false); },
    addListener(name, f) { return this.on(name, f); },
    once(name, f) { return add(this, name, f, true, false); },
    prependListener(name, f) { return add(this, name, f, false, true); },
    prependOnceListener(name, f) { return add(this, name, f, true, true); },
    off(name, f) { return this.removeListener(name, f); },
    removeListener(name, f) {
      const lists = listsOf(this), list = lists.get(name) || [], i = list.findLastIndex((e) => e.f === f);
      if (i < 0) return this;
      if (list.length === 1) lists.delete(name);
      else lists.set(name, list.toSpliced(i, 1));
      if (lists.has('removeListener')) this.emit('removeListener', name, f);
      return this;
    },
    removeAllListeners(name) {
      if (name === undefined) listsOf(this).clear();
      else listsOf(this).delete(name);
      return this;
    },
    emit(name, ...args) {
      const list = listsOf(this).get(name);
      if (list === undefined) {
        if (name !== 'error') return false;
        if (args[0] instanceof Error) throw args[0];
        const e = coded(Error, 'ERR_UNHANDLED_ERROR', `Unhandled error. (${modules.util.inspect(args[0])})`);
        e.context = args[0];
        throw e;
      }
      for (const { f, once } of list) {
        if (once) this.removeListener(name, f);
        f.apply(this, args);
      }
      return true;
    },
    listenerCount(name) { return this.listeners(name).length; },
    listeners(name) { return (listsOf(this).get(name) || []).map((e) => e.f); },
    rawListeners(name) { return this.listeners(name); },
    eventNames() { return [...listsOf(this).keys()]; },
    setMaxListeners() { return this; },
    getMaxListeners() { return EventEmitter.defaultMaxListeners; },
  };
  for (const [k, value] of Object.entries(methods)) Object.defineProperty(EventEmitter.prototype, k, { value, writable: true, configurable: true });

  // Timers wait in the order of their time, and of their making where that is equal. An immediate runs after the timers that are due.
  const timers = new Map();
  let immediates = [], ticks = [], made = 0;

  class Timeout {
    constructor(f, ms, args, every) {
      if (typeof f !== 'function') throw badType('callback', 'of type function', f);
      ms = Number(ms);
      this._idleTimeout = ms >= 1 && ms <= 2147483647 ? Math.trunc(ms) : 1;
      this._onTimeout = f;
      this._repeat = every ? this._idleTimeout : null;
      Object.defineProperties(this, { args: { value: args }, id: { value: ++made }, held: { value: true, writable: true }, due: { value: 0, writable: true } });
      this.arm();
    }
    arm() {
      this.due = host.now() + this._idleTimeout;
      timers.set(this.id, this);
    }
    ref() { return this.hold(true); }
    unref() { return this.hold(false); }
    hold(yes) {
      this.held = yes;
      return this;
    }
    hasRef() { return this.held; }
    refresh() {
      this.arm();
      return this;
    }
    close() {
      clearTimeout(this);
      return this;
    }
    [Symbol.toPrimitive]() { return this.id; }
    [Symbol.dispose || Symbol.for('dispose')]() { clearTimeout(this); }
  }

  class Immediate {
    constructor(f, args) {
      if (typeof f !== 'function') throw badType('callback', 'of type function', f);
      Object.defineProperties(this, { f: { value: f, writable: true }, args: { value: args } });
      immediates.push(this);
    }
    ref() { return this; }
    unref() { return this; }
    hasRef() { return this.f !== null; }
  }

  const setTimeout = (f, ms, ...args) => new Timeout(f, ms, args, false);
  const setInterval = (f, ms, ...args) => new Timeout(f, ms, args, true);
  const setImmediate = (f, ...args) => new Immediate(f, args);
  function clearTimeout(t) {
    if (t !== null && t !== undefined) timers.delete(typeof t === 'object' ? t.id : Number(t));
  }
  const clearInterval = clearTimeout;
  function clearImmediate(i) { if (i instanceof Immediate) i.f = null; }
  function nextTick(f, ...args) {
    if (typeof f !== 'function') throw badType('callback', 'of type function', f);
    ticks.push([f, args]);
  }

  // settle runs what is queued for the end of the present turn; guard calls a function and deals with what it throws.
  function settle(guard) {
    do {
      while (ticks.length > 0) {
        const now = ticks;
        ticks = [];
        for (const [f, args] of now) guard(() => f(...args));
      }
      guard(host.jobs);
    } while (ticks.length > 0);
  }

  function earliest() {
    let first;
    for (const t of timers.values()) if (first === undefined || t.due < first.due || (t.due === first.due && t.id < first.id)) first = t;
    return first;
  }

  const busy = () => immediates.length > 0 || [...timers.values()].some((t) => t.held);

  // turn runs the timers that are due and the immediates, each with what it queued; it answers in how many ms there will be more to do, -1 for never.
  function turn(guard) {
    const now = host.now(), last = made;
    for (let t = earliest(); t !== undefined && t.due <= now && t.id <= last; t = earliest()) {
      timers.delete(t.id);
      const due = t.due;
      if (t._repeat !== null) t.arm();
      if (t._repeat !== null && t.due <= due) t.due = due + 1;
      guard(() => t._onTimeout(...t.args));
      settle(guard);
    }
    const list = immediates;
    immediates = [];
    for (const i of list) {
      if (i.f === null) continue;
      const f = i.f;
      i.f = null;
      guard(() => f(...i.args));
      settle(guard);
    }
    if (!busy()) return -1;
    return immediates.length > 0 ? 0 : Math.max(0, Math.ceil(earliest().due - host.now()));
  }

  const wait = (ms, value) => new Promise((resolve) => setTimeout(resolve, ms, value));
  const timersModule = { setTimeout, setInterval, setImmediate, clearTimeout, clearInterval, clearImmediate };
  timersModule.promises = {
    setTimeout: wait, setImmediate: (value) => new Promise((resolve) => setImmediate(resolve, value)),
    async *setInterval(ms, value) { for (;;) yield await wait(ms, value); },
    scheduler: { wait, yield: () => new Promise((resolve) => setImmediate(resolve)) },
  };
  for (const [k, value] of Object.entries(timersModule)) if (k !== 'promises') Object.defineProperty(globalThis, k, { value, writable: true, enumerable: true, configurable: true });
  Object.assign(modules, { events: EventEmitter, timers: timersModule, 'timers/promises': timersModule.promises });
  Object.assign(modules.internal, { nextTick, settle, turn, busy, timers: () => [...timers.values()] });
})
