import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import type { LevelWithSilent } from 'pino';
import { describeError } from '../core/errors/error-facts.ts';
import { StoreUnavailable } from '../core/errors/store-failure.ts';
import { SYSTEM_CLOCK } from '../core/seams/clock.ts';
import { createLog, type LogOptions, type ServiceLog } from './log.ts';

/** What `use` writes, as it is in the file after a clean stop. */
function textOf(
  level: LevelWithSilent,
  use: (log: ServiceLog) => void,
  options: Partial<LogOptions> = {},
): string {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-'));
  const fd = openSync(join(folder, 'log'), 'w');
  try {
    const log = createLog(level, { clock: SYSTEM_CLOCK, fd, ...options });
    use(log);
    log.close();
    return readFileSync(join(folder, 'log'), 'utf8');
  } finally {
    closeSync(fd);
    rmSync(folder, { recursive: true });
  }
}

function logged(level: LevelWithSilent, use: (log: ServiceLog) => void): Record<string, unknown>[] {
  const lines = textOf(level, use).trim().split('\n');
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line));
}

test('a line has a level, a time, its fields and its message, and nothing else', () => {
  const [line] = logged('info', ({ logger }) => logger.info({ status: 200 }, 'answered'));
  const { time, ...rest } = line ?? {};
  assert.deepEqual(rest, { level: 'info', status: 200, msg: 'answered' });
  assert.match(String(time), /^\d{4}-\d\d-\d\dT.*Z$/);
});

test('lines below the level are not written', () => {
  const use = ({ logger }: ServiceLog) => {
    logger.debug('a');
    logger.info('b');
    logger.error('c');
  };
  assert.deepEqual(
    logged('error', use).map(({ msg }) => msg),
    ['c'],
  );
  assert.deepEqual(logged('silent', use), []);
});

test('what must not be there is taken out, of messages and errors too', () => {
  const lines = logged('info', ({ logger }) => {
    logger.info({ authorization: 'Bearer x', ctx: { code: '4711920385' } }, 'to +4915123456789');
    logger.error(new Error('no +4915123456789'));
    logger.error({ err: Object.assign(new Error('x'), { code: 'EPIPE' }) }, 'failed');
  });
  assert.equal(lines.length, 3);
  assert.ok(!/Bearer|4711920385|4915123456789/.test(JSON.stringify(lines)), JSON.stringify(lines));
  const { err } = lines[2] ?? {};
  assert.ok(typeof err === 'object' && err !== null && 'code' in err && err.code === 'EPIPE');
});

test('what an error was stays, and the code of a verification beside it does not', () => {
  const error = Object.assign(new Error('database or disk is full'), {
    code: 'ERR_SQLITE_ERROR',
    errcode: 13,
  });
  const [line] = logged('info', ({ logger }) => {
    logger.warn(
      { code: '12345', error: describeError(error), nested: { error: { code: '12345' } } },
      'put off',
    );
  });
  const { code, error: told, nested } = line ?? {};
  assert.deepEqual([code, nested], ['[redacted]', { error: { code: '[redacted]' } }]);
  assert.ok(typeof told === 'object' && told !== null && 'stack' in told);
  const { stack: _, ...facts } = told;
  assert.deepEqual(facts, {
    name: 'Error',
    code: 'ERR_SQLITE_ERROR',
    errno: 13,
    message: 'database or disk is full',
  });
});

test('the same failure is written once a minute with its reason, then with how often it was repeated', (t) => {
  let at = 1_000;
  t.mock.method(performance, 'now', () => at);
  const fail = (why: string) => ({ error: describeError(new StoreUnavailable(why)) });
  const lines = logged('info', ({ logger, note }) => {
    for (let i = 0; i < 240; i++) note('warn', 'put off', { ...fail('no disk'), verification: `ver_${i}` });
    for (const webhook of ['one', 'two', 'one']) note('warn', 'put off', { ...fail('no disk'), webhook });
    note('warn', 'put off', fail('no network'));
    logger.warn(fail('no disk'), 'given up');
    at += 60_000;
    for (let i = 0; i < 2; i++) logger.warn(fail('no disk'), 'put off');
  });
  const told = lines.map(({ msg, error, webhook, repeated }) => [
    msg,
    Object(error).message,
    webhook ?? '',
    repeated ?? 0,
  ]);
  assert.deepEqual(told, [
    ['put off', 'no disk', '', 0],
    ['put off', 'no disk', 'one', 0],
    ['put off', 'no disk', 'two', 0],
    ['put off', 'no network', '', 0],
    ['given up', 'no disk', '', 0],
    ['put off', 'no disk', '', 239],
  ]);
});

test('each failure of a request and each line without a failure is written', () => {
  const lines = logged('info', ({ logger }) => {
    for (const requestId of ['a', 'a'])
      logger.error({ requestId, error: describeError(new Error('x')) }, 'm');
    for (let i = 0; i < 2; i++) logger.warn({ reason: 'x' }, 'm');
    for (let i = 0; i < 2; i++) logger.info('m');
  });
  assert.equal(lines.length, 6);
});

test('nothing is lost when the process ends, however it ends in good order', () => {
  const [url, clock] = ['./log.ts', '../core/seams/clock.ts'].map((path) => new URL(path, import.meta.url));
  for (const end of ['', 'close();', 'process.exit(0);', 'close(); logger.info("late"); process.exit(0);']) {
    const script = `import { createLog } from '${url}'; import { SYSTEM_CLOCK as clock } from '${clock}';
      const { logger, close } = createLog('info', { clock });
      for (let i = 0; i < 1000; i++) logger.info({ i }, 'line'); ${end}`;
    const output = execFileSync(process.execPath, ['--input-type=module', '--eval', script], {
      encoding: 'utf8',
    });
    const lines = output.trim().split('\n');
    assert.equal(lines.length, end.includes('late') ? 1001 : 1000, end);
    assert.equal(JSON.parse(lines[999] ?? '').i, 999);
  }
});

test('a plain line is the line that pino would write, below the level too', () => {
  const facts = {
    requestId: 'a-1',
    route: '/verifications/:id',
    ms: 0.25,
    keyId: undefined,
    odd: '"\\\n\u2028é',
  };
  const use = ({ logger, plain }: ServiceLog) => {
    logger.info(facts, 'request');
    plain(facts, 'request');
  };
  const clock = { ...SYSTEM_CLOCK, wall: () => 1_700_000_000_123 };
  const fields = () => ({ trace_id: 'f00d' });
  for (const options of [{ clock }, { clock, fields }]) {
    const [pinos, own, ...more] = textOf('info', use, options).split('\n');
    assert.equal(own, pinos);
    assert.deepEqual(more, ['']);
  }
  for (const level of ['warn', 'silent'] as const) assert.equal(textOf(level, use), '');
});
