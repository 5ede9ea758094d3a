/** Do-not-send lists outlive a restore: what one store has is added to those of another. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { LAX } from '../../../test/store/contract/rig.ts';
import { addNumbers } from '../../accounts/blocking/blocked-numbers.ts';
import { blockRange } from '../../accounts/blocking/blocked-ranges.ts';
import { COMMAND_LINE } from '../../core/accounts/actor.ts';
import { Keyring } from '../../core/secrets/keyring.ts';
import { query } from '../../core/sql/records.ts';
import { openSqliteStore } from '../../store/sqlite/store.ts';
import { createWorkplace, type Workplace } from '../fixture.ts';

const SECRET = 'a secret of the tests, which is long enough for all';
const CONFIG = { COUNTERSIGN_CONFIG: 'countersign.yaml' };
const AT = Date.parse('2026-11-20T09:00:00.000Z');
const STOPPED = '+4915112345678';

async function makePlace(account: string): Promise<Workplace> {
  const place = createWorkplace();
  place.write('countersign.yaml', JSON.stringify({ secret: SECRET }));
  await place.makeStore({ account });
  return place;
}

async function openIn(place: Workplace) {
  return openSqliteStore({ dataDir: join(place.folder, 'data'), exclusive: false, ...LAX });
}

/** So many numbers, the first of whom said STOP, and a range. */
async function fill(place: Workplace, count: number): Promise<void> {
  const store = await openIn(place);
  const [row] = await query(store, 'SELECT id FROM account');
  const accountId = String(row?.id);
  const deps = { records: store, keyring: new Keyring(SECRET) };
  const numbers = Array.from({ length: count }, (_, index) => ({
    address: index === 0 ? STOPPED : `+49151200${String(index).padStart(5, '0')}`,
    source: index === 0 ? ('recipient' as const) : ('person' as const),
    createdAt: AT + index,
  }));
  for (let first = 0; first < count; first += 100) {
    await addNumbers(deps, accountId, numbers.slice(first, first + 100), COMMAND_LINE, AT);
  }
  await blockRange(store, accountId, '+88213', COMMAND_LINE, AT);
  await store.close();
}

test('what one store exports is on the list of another, with who put it there and when', async () => {
  using before = await makePlace('shop');
  using after = await makePlace('shop');
  await fill(before, 620);
  const exported = await before.run(['block', 'export'], CONFIG);
  const lines = exported.stdout.trimEnd().split('\n');
  assert.equal(lines.length, 621);
  assert.ok(
    lines.includes(
      JSON.stringify({
        account: 'shop',
        number: STOPPED,
        added_by: 'recipient',
        added_at: '2026-11-20T09:00:00.000Z',
      }),
    ),
  );
  assert.equal((await after.run(['block', 'import'], CONFIG, exported.stdout)).stdout, 'added 621 of 621\n');
  const list = async (place: Workplace) =>
    (await place.run(['block', 'list', '--account', 'shop'], CONFIG)).stdout;
  // A range has the time at which it was added.
  const numbersOf = (text: string) => text.split('\n').filter((line) => line.startsWith('number'));
  assert.deepEqual(numbersOf(await list(after)), numbersOf(await list(before)));
  assert.equal((await after.run(['block', 'import'], CONFIG, exported.stdout)).stdout, 'added 0 of 621\n');
  const store = await openIn(before);
  const [entry] = await query(store, "SELECT who FROM audit_entry WHERE action = 'number.exported'");
  await store.close();
  assert.equal(entry?.who, 'command line', 'the audit log says that numbers were shown');
});

test('entries of accounts that are not there are named, and the others added', async () => {
  using place = await makePlace('shop');
  const line = (account: string) =>
    JSON.stringify({ account, number: STOPPED, added_by: 'person', added_at: '2026-11-20T09:00:00.000Z' });
  const answer = await place.run(['block', 'import'], CONFIG, `${line('gone')}\n${line('shop')}\n`);
  assert.deepEqual([answer.status, answer.stdout], [1, 'added 1 of 2\n']);
  assert.match(answer.stderr, /no such account here: gone \(1\)/);
});

test('numbers that nothing is sent to any more are carried over, too', async () => {
  using place = await makePlace('shop');
  const lines = ['+22997123456', '+491641112345'].map((number) =>
    JSON.stringify({ account: 'shop', number, added_by: 'recipient', added_at: '2023-11-20T09:00:00.000Z' }),
  );
  const answer = await place.run(['block', 'import'], CONFIG, `${lines.join('\n')}\n`);
  assert.deepEqual([answer.status, answer.stdout], [0, 'added 2 of 2\n']);
});

test('a wrong line is named without being repeated, and changes nothing', async () => {
  using place = await makePlace('shop');
  const good = { account: 'shop', number: STOPPED, added_by: 'person', added_at: '2026-11-20T09:00:00.000Z' };
  for (const [wrong, words] of [
    [STOPPED, /line 2: account: expected/],
    [JSON.stringify({ ...good, number: '0151 12345' }), /line 2: number: expected a full number/],
    [JSON.stringify({ ...good, added_by: 'nobody' }), /line 2: added_by: expected person or recipient/],
    [JSON.stringify({ ...good, added_at: 'today' }), /line 2: added_at: expected a time/],
    [JSON.stringify({ account: 'shop', range: STOPPED }), /line 2: range: /],
  ] as const) {
    const answer = await place.run(['block', 'import'], CONFIG, `${JSON.stringify(good)}\n${wrong}\n`);
    assert.deepEqual([answer.status, answer.stdout], [1, '']);
    assert.match(answer.stderr, words);
    assert.ok(!answer.stderr.includes('12345'));
  }
  assert.match(
    (await place.run(['block', 'list', '--account', 'shop'], CONFIG)).stderr,
    /sends to every number/,
  );
});
