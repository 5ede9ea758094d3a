import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { createWorkplace, type Workplace } from '../fixture.ts';
import { parseTrafficLine } from './traffic-line.ts';

const START = Date.UTC(2026, 10, 1);

function timeOf(second: number): string {
  return new Date(START + second * 1_000).toISOString();
}

function verify(ref: string, second: number, destination: string, rest: object = {}) {
  const who = { account: 'acme', key: 'web', channel: 'sms', client: { ip: '203.0.113.9' } };
  return { at: timeOf(second), op: 'verify', ref, ...who, destination, ...rest };
}

/** People of whom three in four confirm, and bots that go through one range from the 100th on. */
function traffic(): object[] {
  return Array.from({ length: 400 }, (_, index) => {
    const person = `+2126${`${(index * 7_919_123) % 100_000_000}`.padStart(8, '0')}`;
    const request = verify(`p${index}`, 20 * index, person);
    const receipt = { at: timeOf(20 * index + 2), op: 'receipt', ref: `p${index}`, outcome: 'delivered' };
    const confirm = { at: timeOf(20 * index + 9), op: 'confirm', ref: `p${index}`, ok: true, more: 1 };
    if (index < 100) return index % 4 === 3 ? [request] : [request, receipt, confirm];
    const bot = verify(`b${index}`, 20 * index, `+212661234${index}`, {
      client: { ip: `198.51.100.${index % 99}` },
    });
    return [bot, { at: timeOf(20 * index + 5), op: 'confirm', ref: `b${index}`, ok: index % 9 === 0 }];
  }).flat();
}

function lines(events: readonly object[]): string {
  return events.map((event) => `${JSON.stringify(event)}\n`).join('');
}

async function replay(place: Workplace, input: string, ...more: readonly string[]) {
  place.write('in.jsonl', input);
  const run = await place.run(['guard', 'replay', '--input', 'in.jsonl', '--output', 'out.jsonl', ...more]);
  return { ...run, read: () => readFileSync(join(place.folder, 'out.jsonl'), 'utf8') };
}

test('guard replay: one decision for each verify, in order, and those of the beginning for a file cut short', async () => {
  using place = createWorkplace();
  const events = traffic();
  const whole = await replay(place, lines(events));
  assert.deepEqual([whole.status, whole.stderr], [0, '']);
  assert.match(whole.stdout, /^DECISION {2}RULE +REQUESTS\n(.*\n)*allow +none +\d+\n/);
  const text = whole.read();
  const decisions: { ref: string; decision: string; rule: string; detail: string }[] = text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  const asked = events.flatMap((event) => ('destination' in event && 'ref' in event ? [event.ref] : []));
  assert.deepEqual(
    decisions.map(({ ref }) => ref),
    asked,
  );
  const refused = decisions.filter(({ decision }) => decision === 'refuse');
  assert.ok(refused.length > 200, `${refused.length}`);
  assert.ok(refused.every(({ ref, rule, detail }) => ref.startsWith('b') && rule !== '' && detail !== ''));
  assert.doesNotMatch(text, /661234\d{3}/);

  const half = await replay(place, lines(events.slice(0, events.length / 2)).trimEnd());
  assert.ok(text.startsWith(half.read()) && half.read() !== '');
});

test('guard replay: the plain limits of the configuration hold', async () => {
  using place = createWorkplace();
  place.write('limits.yaml', 'limits: { sendsPerDestination: [2/10m], requestsPerKey: [3/1m] }\n');
  const repeats = [0, 1, 2, 3, 4].map((index) => verify(`r${index}`, index * 150, '+14155550123'));
  const burst = [0, 1, 2, 3].map((index) => verify(`k${index}`, 1_000, `+1415555013${index}`));
  const { read } = await replay(place, lines([...repeats, ...burst]), '--config', 'limits.yaml');
  const rules = read()
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line).rule);
  assert.deepEqual(rules.slice(0, 5), ['none', 'none', 'limit:destination', 'limit:destination', 'none']);
  assert.deepEqual(rules.slice(5), ['none', 'none', 'none', 'limit:key']);
});

test('guard replay: a malformed line is one error that names it and does not show it', async () => {
  using place = createWorkplace();
  const good = lines([verify('a', 0, '+14155550123')]);
  for (const [bad, expected] of [
    ['{"op":"verify","destination":"+14155550', 'expected a JSON object'],
    ['[1]', 'expected a JSON object'],
    [JSON.stringify({ ...verify('b', 1, '+14155550124'), at: 'now' }), 'at: expected a time such as'],
    [
      JSON.stringify({ ...verify('b', 1, '+14155550124'), op: 'send' }),
      'op: expected verify, receipt or confirm',
    ],
  ] as const) {
    const { status, stderr } = await replay(place, `${good}\n${bad}\n`);
    assert.equal(status, 1);
    assert.match(stderr, new RegExp(`^countersign: in\\.jsonl:3: ${expected}[^\\n]*\\n$`));
    assert.doesNotMatch(stderr, /1415555/);
  }
});

test('guard replay: does not write over what it reads', async () => {
  using place = createWorkplace();
  place.write('in.jsonl', lines([verify('a', 0, '+14155550123')]));
  const { status, stderr } = await place.run([
    'guard',
    'replay',
    '--input',
    'in.jsonl',
    '--output',
    './in.jsonl',
  ]);
  assert.deepEqual([status, stderr], [1, 'countersign: --output: expected another file than --input\n']);
});

test('fields that are missing or of another type are named, unknown ones ignored', () => {
  const whole = { ...verify('a', 0, '+14155550123'), unknown: { a: 1 } };
  assert.equal(parseTrafficLine(JSON.stringify(whole)).op, 'verify');
  for (const field of ['ref', 'account', 'key', 'destination']) {
    const line = JSON.stringify({ ...whole, [field]: undefined });
    assert.throws(() => parseTrafficLine(line), { message: `${field}: expected text` });
  }
  const confirm = { at: timeOf(0), op: 'confirm', ref: 'a', ok: 'yes' };
  assert.throws(() => parseTrafficLine(JSON.stringify(confirm)), { message: 'ok: expected true or false' });
});
