import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { attempt, guessAt, issueOne, LAX, SUBMITTED, settlement } from '../../../test/store/contract/rig.ts';
import { Keyring } from '../../core/secrets/keyring.ts';
import { sealField } from '../../core/secrets/sealed-field.ts';
import type { Store } from '../../store/port.ts';
import { openSqliteStore } from '../../store/sqlite/store.ts';
import { createWorkplace } from '../fixture.ts';

const SECRET = 'a secret of the tests, which is long enough for all';
const CONFIG = { COUNTERSIGN_CONFIG: 'countersign.yaml' };
const SECOND = 1_000;
const PEOPLE = 120;
const BOTS = 240;

test('the history of a store is judged: what a flood would not have cost, and who would have been turned away', async () => {
  using place = createWorkplace();
  place.write('countersign.yaml', JSON.stringify({ secret: SECRET, currency: 'CHF' }));
  await place.makeStore();
  const store = await openSqliteStore({ dataDir: join(place.folder, 'data'), exclusive: false, ...LAX });
  try {
    await fill(store);
  } finally {
    await store.close();
  }
  const deny = ['guard', 'deny', '--range', '+49151000', '--reason', 'for the test'];
  assert.equal((await place.run(deny, CONFIG)).status, 0);

  const { stdout, stderr } = await place.run([
    'guard',
    'backtest',
    '--days',
    '2',
    '--config',
    'countersign.yaml',
    '--json',
  ]);
  const { currency, skipped, whole, countries, rules } = JSON.parse(stdout);
  assert.ok(!/\+49151|\+21266/.test(stdout + stderr));
  assert.deepEqual([currency, skipped, whole.requests], ['CHF', 1, PEOPLE + BOTS]);
  assert.equal(whole.spent, (PEOPLE + BOTS) * 0.05);
  assert.ok(whole.refused >= BOTS - 30 && whole.refused <= BOTS + 10, `${whole.refused} of ${BOTS}`);
  assert.ok(Math.abs(whole.saved - whole.refused * 0.05) < 1e-9);
  assert.deepEqual([whole.confirmed, whole.turned_away], [PEOPLE, 1]);
  assert.deepEqual(
    countries.map(({ country, turned_away }: Record<string, unknown>) => [country, turned_away]),
    [
      ['MA', 0],
      ['DE', 1],
    ],
  );
  const denied = rules.find(({ rule }: { readonly rule: string }) => rule === 'operator-deny');
  assert.deepEqual(denied, { rule: 'operator-deny', refused: 1, saved: 0.05, turned_away: 1 });

  const table = (await place.run(['guard', 'backtest'], CONFIG)).stdout;
  assert.match(
    table,
    /money in CHF; left out, because no secret opens them: 1\n\nCOUNTRY +REQUESTS .*\nall +360 /,
  );
  assert.match(table, /\nRULE .*\n(.*\n)*operator-deny +1 +0\.05 +1\n/);
  assert.match(table, /\n1 of 120 people who confirmed would have been turned away\n$/);
});

/** People who confirm, bots of one range who do not, and a request under a secret that is gone. */
async function fill(store: Store): Promise<void> {
  const keyring = new Keyring(SECRET);
  const start = Date.now() - 5 * 3_600_000;
  async function send(
    createdAt: number,
    address: string,
    country: string,
    isConfirmed: boolean,
    ring = keyring,
  ) {
    const id = `ver_${createdAt.toString(16).padStart(12, '0')}7000${crypto.randomUUID().replaceAll('-', '').slice(16)}`;
    const made = await issueOne(store, {
      ...{ id, createdAt, country, accountId: 'acc_1', keyId: 'key_1' },
      destinationSealed: sealField(ring, address, id, 'destination'),
    });
    await store.settle(settlement(made, SUBMITTED, [attempt(createdAt, { cost: 50_000 })]));
    if (isConfirmed) await store.confirm(guessAt(made, 'right', createdAt + 12 * SECOND));
  }
  const numberOf = (i: number) => `${(i * 7_919_123) % 10_000_000}`.padStart(7, '0');
  const people = Array.from({ length: PEOPLE }, (_, i) =>
    // The first number begins as what is denied.
    send(start + i * 60 * SECOND, `+49151${i === 0 ? '00000001' : `1${numberOf(i)}`}`, 'DE', true),
  );
  const bots = Array.from({ length: BOTS }, (_, i) =>
    send(start + 3_600_000 + i * 4 * SECOND, `+21266123${String(i).padStart(4, '0')}`, 'MA', false),
  );
  const gone = send(
    start,
    '+4915112345678',
    'DE',
    false,
    new Keyring('another secret, which is long enough'),
  );
  await Promise.all([...people, ...bots, gone]);
}
