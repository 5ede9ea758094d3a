import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ReportProgress } from '../core/reporting/progress.ts';
import { describeProgress, withProgress } from './progress.ts';

/** A terminal that keeps what is written to it, and a clock that stands still. */
function createTerminal(isTTY: boolean, columns = 80) {
  const written: string[] = [];
  const terminal = { isTTY, columns, write: (text: string) => written.push(text) };
  let now = 1_000;
  return {
    written,
    pass: (ms: number) => {
      now += ms;
    },
    watch: <T>(work: (report: ReportProgress) => Promise<T>) => withProgress(work, terminal, () => now),
  };
}

test('one line that replaces itself, and is gone in the end', async () => {
  const { watch, written, pass } = createTerminal(true);
  const result = await watch(async (report) => {
    report({ step: 'copying rows', done: 1, total: 4 });
    pass(100);
    report({ step: 'copying rows', done: 2, total: 4 });
    return 'done';
  });
  assert.equal(result, 'done');
  assert.deepEqual(written, [
    '\r\u001b[Kcopying rows: 1 of 4 (25 %)',
    '\r\u001b[Kcopying rows: 2 of 4 (50 %)',
    '\r\u001b[K',
  ]);
});

test('the line is gone after a failure, too', async () => {
  const { watch, written } = createTerminal(true);
  const failing = watch(async (report) => {
    report({ step: 'checking' });
    throw new Error('full');
  });
  await assert.rejects(failing, /full/);
  assert.deepEqual(written, ['\r\u001b[Kchecking ...', '\r\u001b[K']);
});

test('often is not drawn more than ten times a second, but each step and each end is', async () => {
  const { watch, written, pass } = createTerminal(true);
  await watch(async (report) => {
    for (let done = 1; done <= 1_000; done++) {
      pass(1);
      report({ step: 'one', done, total: 1_000 });
    }
    report({ step: 'two', done: 0, total: 2 });
    report({ step: 'two', done: 2, total: 2 });
  });
  const lines = written.map((line) => line.replace('\r\u001b[K', ''));
  assert.ok(lines.length <= 15, lines.join('\n'));
  assert.deepEqual(lines.slice(-4), [
    'one: 1000 of 1000 (100 %)',
    'two: 0 of 2 (0 %)',
    'two: 2 of 2 (100 %)',
    '',
  ]);
});

test('where there is no terminal, nothing is written', async () => {
  const { watch, written } = createTerminal(false);
  await watch(async (report) => report({ step: 'copying', done: 1, total: 2 }));
  assert.deepEqual(written, []);
});

test('work that reports nothing leaves the terminal alone', async () => {
  const { watch, written } = createTerminal(true);
  await watch(async () => {});
  assert.deepEqual(written, []);
});

test('a line never wraps', async () => {
  const { watch, written } = createTerminal(true, 12);
  await watch(async (report) => report({ step: 'copying verifications', done: 1, total: 2 }));
  assert.equal(written[0], '\r\u001b[Kcopying ver');
  const unknown = createTerminal(true, 0);
  await unknown.watch(async (report) => report({ step: 'copying verifications', done: 1, total: 2 }));
  assert.equal(unknown.written[0], '\r\u001b[Kcopying verifications: 1 of 2 (50 %)');
});

test('sizes are in MiB, and what nobody knows is left out', () => {
  const bytes = { step: 'copying', unit: 'bytes' } as const;
  assert.equal(
    describeProgress({ ...bytes, done: 3 * 2 ** 19, total: 2 ** 22 }),
    'copying: 1.5 of 4.0 MiB (37 %)',
  );
  assert.equal(describeProgress({ ...bytes, done: 2 ** 20 }), 'copying: 1.0 MiB');
  assert.equal(describeProgress({ step: 'modules', done: 812 }), 'modules: 812');
  assert.equal(
    describeProgress({ step: 'nothing to do', done: 0, total: 0 }),
    'nothing to do: 0 of 0 (100 %)',
  );
});
