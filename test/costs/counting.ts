/**
 * Loaded into the service before its own modules: counts what its event loop does, and tells each time somebody asks on the socket
 * that `COUNTERSIGN_TEST_COUNTS` names.
 */
import { AsyncLocalStorage, createHook } from 'node:async_hooks';
import crypto from 'node:crypto';
import { Server } from 'node:https';
import { syncBuiltinESMExports } from 'node:module';
import { connect, Socket } from 'node:net';
import { isMainThread, Worker } from 'node:worker_threads';
import type { Counted } from './table.ts';

const counts: Record<Exclude<Counted, 'logged'>, number> = {
  hmacs: 0,
  hashes: 0,
  seals: 0,
  opens: 0,
  calls: 0,
  writes: 0,
  promises: 0,
};

/** Of the store: what a flow calls, and not what the service asks for by itself. */
const CALLS = /\["(issue|settle|confirm)"/g;

function count<Owner extends object>(
  owner: Owner,
  name: keyof Owner,
  note: (args: unknown[], self: unknown) => void,
) {
  const original = owner[name];
  if (typeof original !== 'function') throw new Error(`${String(name)} is no function`);
  Object.defineProperty(owner, name, {
    configurable: true,
    writable: true,
    value(this: unknown, ...args: unknown[]) {
      note(args, this);
      return Reflect.apply(original, this, args);
    },
  });
}

const path = process.env.COUNTERSIGN_TEST_COUNTS;
if (isMainThread && path !== undefined) {
  const asked = connect(path);
  count(crypto, 'createHmac', () => counts.hmacs++);
  for (const name of ['hash', 'createHash'] as const) count(crypto, name, () => counts.hashes++);
  count(crypto, 'createCipheriv', () => counts.seals++);
  count(crypto, 'createDecipheriv', () => counts.opens++);
  syncBuiltinESMExports();
  count(Worker.prototype, 'postMessage', ([text]) => {
    counts.calls += String(text).match(CALLS)?.length ?? 0;
  });
  // What Node's sockets do for each write that goes to the system, of TLS and of plain ones.
  count(Socket.prototype, '_writeGeneric' as keyof Socket, (_args, self) => {
    if (self !== asked) counts.writes++;
  });
  // What is done by the clock is not of a flow: how much of it there is depends on how long the flows take.
  const flow = new AsyncLocalStorage<true>();
  const { emit } = Server.prototype;
  Server.prototype.emit = function (this: Server, name: string, ...args: unknown[]) {
    const tell = () => Reflect.apply(emit, this, [name, ...args]);
    return name === 'request' ? flow.run(true, tell) : tell();
  };
  createHook({
    init: (_id, type) => {
      if (type === 'PROMISE' && flow.getStore()) counts.promises++;
    },
  }).enable();
  asked.on('data', () => {
    asked.write(JSON.stringify(counts));
  });
  asked.unref();
}
