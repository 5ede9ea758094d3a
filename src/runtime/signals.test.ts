import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import { test } from 'node:test';
import { ServiceSignals } from './signals.ts';

/** A process that only notes what became of it. */
function createHost({ pid = 4711, onTerminal = false } = {}) {
  const seen: string[] = [];
  const host = Object.assign(new EventEmitter(), {
    pid,
    exit: (code: number) => void seen.push(`exit ${code}`),
  });
  const signals = new ServiceSignals(
    host as unknown as ConstructorParameters<typeof ServiceSignals>[0],
    onTerminal,
  );
  const act = () =>
    signals.act({ stop: () => void seen.push('stop'), reload: () => void seen.push('reload') });
  /** Whether anybody hears it. */
  const send = (signal: string) => host.emit(signal, signal);
  return { seen, signals, act, send };
}

for (const signal of ['SIGTERM', 'SIGINT']) {
  test(`${signal} while nothing has begun ends the process well, at once`, () => {
    const { seen, send } = createHost();
    assert.ok(send(signal));
    assert.deepEqual(seen, ['exit 0']);
  });

  test(`${signal} once others wait for the service stops it as soon as it has started, once`, () => {
    const { seen, signals, act, send } = createHost();
    signals.beginWork();
    send('SIGHUP');
    send(signal);
    assert.deepEqual(seen, []);
    act();
    send('SIGHUP');
    assert.deepEqual(seen, ['stop']);
  });

  test(`${signal} stops a service that runs; the next has its default action`, () => {
    const { seen, act, send } = createHost();
    act();
    assert.ok(send(signal));
    assert.deepEqual(seen, ['stop']);
    assert.equal(send('SIGTERM') || send('SIGINT'), false);
  });
}

test('a second signal ends the first process of a container, too, where none has a default action', () => {
  const { seen, act, send } = createHost({ pid: 1 });
  act();
  send('SIGTERM');
  send('SIGTERM');
  send('SIGINT');
  assert.deepEqual(seen, ['stop', 'exit 143', 'exit 130']);
});

test('SIGHUP during the start has the configuration read again once, when the service runs', () => {
  const { seen, signals, act, send } = createHost();
  send('SIGHUP');
  signals.beginWork();
  send('SIGHUP');
  assert.deepEqual(seen, []);
  act();
  assert.deepEqual(seen, ['reload']);
  send('SIGHUP');
  assert.deepEqual(seen, ['reload', 'reload']);
});

test('SIGHUP keeps its meaning where a terminal sends it', () => {
  assert.equal(createHost({ onTerminal: true }).send('SIGHUP'), false);
});
