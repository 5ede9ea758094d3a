import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import {
  type GuessSubject,
  ofDevice,
  ofPassword,
  ofSource,
  takeGuess,
} from '../../../src/identity/sign-in/throttle.ts';
import type { Store } from '../../../src/store/port.ts';
import { openSqliteStore } from '../../../src/store/sqlite/store.ts';
import { LAX, unique } from '../../store/contract/rig.ts';

const NOW = Date.UTC(2026, 10, 22);
const SECOND = 1_000;
const DAY = 86_400_000;

let dataDir: string;
let store: Store;
before(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'countersign-throttle-'));
  store = await openSqliteStore({ dataDir, exclusive: true, ...LAX });
});
after(async () => {
  await store.close();
  await rm(dataDir, { recursive: true });
});

const fresh = () => ofPassword(`${unique('who')}@example.com`);
const isTaken = async (subjects: readonly GuessSubject[], now = NOW) =>
  (await takeGuess(store, subjects, now)).ok;
/** Takes so many guesses; all must be allowed. */
async function spend(subject: GuessSubject, count: number, now = NOW): Promise<void> {
  for (let i = 0; i < count; i++) assert.ok(await isTaken([subject], now));
}

test('after the free guesses each wait is longer, up to a quarter of an hour', async () => {
  const subject = fresh();
  await spend(subject, subject.free);
  const waits = [];
  for (let now = NOW; waits.length < 12; ) {
    const refused = await takeGuess(store, [subject], now);
    assert.ok(!refused.ok);
    waits.push(refused.retryAfterMs / SECOND);
    assert.equal(await isTaken([subject], now + refused.retryAfterMs - 1), false, 'to the ms');
    now += refused.retryAfterMs;
    assert.equal(await isTaken([subject], now), true);
  }
  assert.deepEqual(waits, [10, 40, 90, 160, 250, 360, 490, 640, 810, 900, 900, 900]);
});

test('a day after the last guess there are as many free guesses as at first', async () => {
  const subject = fresh();
  await spend(subject, subject.free);
  await spend(subject, subject.free, NOW + DAY);
  assert.equal(await isTaken([subject], NOW + DAY), false);
});

test('if one subject must wait, no guess is taken from the others', async () => {
  const [waiting, other] = [fresh(), fresh()];
  await spend(waiting, waiting.free);
  for (let i = 0; i < 9; i++) {
    assert.equal(await isTaken([other, waiting]), false);
    assert.equal(await isTaken([waiting, other]), false);
  }
  await spend(other, other.free);
  assert.equal(await isTaken([other]), false);
});

test('who has to wait for several subjects is told the longest wait', async () => {
  const [short, long, free] = [fresh(), fresh(), fresh()];
  await spend(short, short.free);
  await spend(long, long.free);
  await spend(long, 1, NOW + 10 * SECOND);
  await spend(free, 1);
  assert.deepEqual(await takeGuess(store, [short, long, free], NOW), {
    ok: false,
    retryAfterMs: 50 * SECOND,
  });
});

test('an IPv6 network is one source, and so is each IPv4 address', () => {
  const name = (address: string) => ofSource(address, 'password').name;
  assert.equal(name('2001:db8::1'), name('2001:db8:0:0:ffff::2'));
  assert.notEqual(name('2001:db8::1'), name('2001:db8:0:1::1'));
  assert.notEqual(name('192.0.2.1'), name('192.0.2.2'));
});

test('each way to sign in, and each device of each person, is a separate subject', () => {
  const subjects = [
    ofSource('192.0.2.1', 'password'),
    ofSource('192.0.2.1', 'passkey'),
    ofSource('192.0.2.1', 'oidc'),
    ofDevice('per_1', 1),
    ofDevice('per_1', 2),
    ofDevice('per_2', 1),
  ];
  assert.equal(new Set(subjects.map(({ name }) => name)).size, subjects.length);
});
