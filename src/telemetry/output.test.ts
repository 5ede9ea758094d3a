import assert from 'node:assert/strict';
import type { writeSync } from 'node:fs';
import { test } from 'node:test';
import { createOutput } from './output.ts';

/** An output whose writes are kept; `take` says how many bytes one write takes, or throws. */
function createRecorded(take: (bytes: number) => number = (bytes) => bytes) {
  const writes: string[] = [];
  const write = ((_fd: number, bytes: Buffer, offset: number) => {
    const taken = take(bytes.length - offset);
    writes.push(bytes.toString('utf8', offset, offset + taken));
    return taken;
  }) as typeof writeSync;
  return { output: createOutput(-1, write), writes };
}

function fail(code: string): never {
  throw Object.assign(new Error(code), { code });
}

test('lines gather into pages, in their order', () => {
  const { output, writes } = createRecorded();
  const lines = Array.from({ length: 5_000 }, (_, index) => `line ${index}\n`);
  for (const line of lines) output.write(line);
  assert.ok(writes.length > 1 && writes.length < 5, String(writes.length));
  output.close();
  assert.equal(writes.join(''), lines.join(''));
});

test('a flush writes what there is, once', () => {
  const { output, writes } = createRecorded();
  output.write('a\n');
  assert.deepEqual(writes, []);
  output.flushSync();
  output.flushSync();
  assert.deepEqual(writes, ['a\n']);
  output.close();
});

test('after close every line is written at once, and nothing stays behind in the process', () => {
  const listeners = process.listenerCount('exit');
  const { output, writes } = createRecorded();
  output.close();
  output.write('late\n');
  assert.deepEqual(writes, ['late\n']);
  assert.equal(process.listenerCount('exit'), listeners);
});

test('a short write and a full pipe lose nothing', () => {
  let calls = 0;
  const { output, writes } = createRecorded((bytes) =>
    ++calls % 2 === 0 ? fail('EAGAIN') : Math.min(bytes, 3),
  );
  output.write('a line\n');
  output.close();
  assert.deepEqual(writes, ['a l', 'ine', '\n']);
});

test('lines that can never be written are dropped, and block nothing', () => {
  for (const code of ['EPIPE', 'EBADF', 'ENOSPC', 'EAGAIN']) {
    const { output, writes } = createRecorded(() => fail(code));
    output.write('lost\n');
    output.close();
    assert.deepEqual(writes, []);
  }
});

test('a reader that stands still is waited for once, and written to again when it reads', () => {
  let attempts = 0;
  let reads = false;
  const { output, writes } = createRecorded((bytes) => {
    attempts++;
    return reads ? bytes : fail('EAGAIN');
  });
  output.close();
  output.write('lost\n');
  assert.ok(attempts > 1, 'it is given time');
  attempts = 0;
  output.write('lost\n');
  assert.equal(attempts, 1, 'it has had its time');
  reads = true;
  output.write('kept\n');
  assert.deepEqual(writes, ['kept\n']);
});
