import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { DELIVERED, issueOne, LAX, receipt, settlement } from '../../test/store/contract/rig.ts';
import { readAuditLog } from '../accounts/audit.ts';
import { blockNumbers, listBlockedNumbers } from '../accounts/blocking/blocked-numbers.ts';
import { createKeys } from '../accounts/keys.ts';
import { COMMAND_LINE } from '../core/accounts/actor.ts';
import { Keyring } from '../core/secrets/keyring.ts';
import { sealField } from '../core/secrets/sealed-field.ts';
import { seenByPeople } from '../core/verification/scope.ts';
import type { Store } from '../store/port.ts';
import { openSqliteStore } from '../store/sqlite/store.ts';
import { createWorkplace, type Workplace } from './fixture.ts';

const NUMBER = '+4915123456789';
const MASKED = '+49•••••••••89';
const SECRET = 'e81f5c0a97d3264bb0c2f7716d94a53e';
const NEW = '0b7f4d1c96e25a83f3d8e2c471a95b60';
const CODE = '918273';

async function withStore<T>({ folder }: Workplace, use: (store: Store) => Promise<T>): Promise<T> {
  const store = await openSqliteStore({ dataDir: join(folder, 'data'), exclusive: false, ...LAX });
  try {
    return await use(store);
  } finally {
    await store.close();
  }
}

/** Issues a verification of a number given in clear, hashed and sealed with a secret. */
function send(store: Store, keyring: Keyring, accountId: string, address: string, test = false) {
  const id = `ver_${Date.now().toString(16).padStart(12, '0')}7000${crypto.randomUUID().replaceAll('-', '').slice(16)}`;
  return issueOne(store, {
    ...{ id, accountId, test },
    destinationHash: keyring.destinationHash(accountId, test, address).current,
    destinationSealed: sealField(keyring, address, id, 'destination'),
    codeSealed: sealField(keyring, CODE, id, 'code'),
  });
}

/** Two accounts that have sent to a number: under two secrets, live and test, and to an extension. */
async function fill(store: Store) {
  const [before, now] = [new Keyring(SECRET), new Keyring(NEW, SECRET)];
  const account = async (name: string) => {
    const key = {
      id: `key_${name}`,
      name,
      test: false,
      prefix: `csk_live_${name}`,
      hash: name,
      createdAt: 1,
    };
    return (await createKeys(store).createKey(name, key, COMMAND_LINE)).accountId;
  };
  const [acme, shop] = [await account('acme'), await account('shop')];
  const first = await send(store, before, acme, NUMBER);
  await store.settle(settlement(first, DELIVERED, [{ reference: 'carrier-1', recipientTag: 'tag' }]));
  const said = { references: ['carrier-1'], reason: 'read', network: '26201', price: 7_000 };
  await store.receive(receipt(first.createdAt + 5_000, said));
  await send(store, now, acme, `tel:${NUMBER};ext=12`, true);
  await send(store, before, shop, NUMBER);
  const other = await send(store, now, shop, '+4915123456780');
  // Receipts that wait for their message, one of them since before the rotation.
  const recipientTags = now.recipientTags(NUMBER);
  for (const tag of [recipientTags[0], before.recipientTags(NUMBER)[0]])
    await store.receive(receipt(Date.now(), { references: [`unmatched ${tag}`], recipientTags: [tag] }));
  await blockNumbers({ records: store, keyring: before }, acme, [NUMBER], COMMAND_LINE, Date.now());
  await blockNumbers({ records: store, keyring: now }, shop, ['+4915123456780'], COMMAND_LINE, Date.now());
  return { acme, shop, first, other, recipientTags };
}

test('a number that is none any more is found and erased nevertheless', async () => {
  using place = createWorkplace();
  const run = (...args: string[]) =>
    place.run(['numbers', ...args, '--destination', '+229 97 12 34 56'], { COUNTERSIGN_SECRET: SECRET });
  await withStore(place, async (store) => {
    const key = { id: 'k', name: 'k', test: false, prefix: 'csk_live_k', hash: 'k', createdAt: 1 };
    const { accountId } = await createKeys(store).createKey('acme', key, COMMAND_LINE);
    await send(store, new Keyring(SECRET), accountId, '+22997123456');
  });
  assert.equal(JSON.parse((await run('export')).stdout).verifications.length, 1);
  assert.match((await run('erase')).stdout, /^erased 1 verification/);
});

test('what is held about a number is printed, and erased, in one account or in all', async () => {
  using place = createWorkplace();
  const variables = { COUNTERSIGN_SECRET: NEW, COUNTERSIGN_PREVIOUS_SECRET: SECRET };
  const run = (...args: string[]) => place.run(['numbers', ...args], variables);
  const destination = ['--destination', '+49 (151) 234-567 89'];
  const made = await withStore(place, fill);

  const exported = await run('export', ...destination);
  assert.equal(exported.status, 0, exported.stderr);
  assert.ok(!exported.stdout.includes(CODE));
  const { verifications, ...rest } = JSON.parse(exported.stdout);
  assert.equal(rest.destination, NUMBER);
  assert.deepEqual(
    rest.do_not_send.map(({ account, source, added_at }: Record<string, string>) => [
      account,
      source,
      Date.parse(String(added_at)) >= made.first.createdAt,
    ]),
    [['acme', 'person', true]],
  );
  const summary = verifications.map(({ account, test, destination }: Record<string, unknown>) => [
    account,
    test,
    destination,
  ]);
  assert.deepEqual(summary.sort(), [
    ['acme', false, NUMBER],
    ['acme', true, `tel:${NUMBER};ext=12`],
    ['shop', false, NUMBER],
  ]);
  const instant = (ms: number) => new Date(made.first.createdAt + ms).toISOString();
  assert.deepEqual(
    verifications.find(({ id }: { id: string }) => id === made.first.id),
    {
      id: made.first.id,
      account: 'acme',
      destination: NUMBER,
      channel: 'sms',
      country: 'DE',
      test: false,
      status: 'pending',
      guesses_left: 5,
      requested_at: instant(0),
      expires_at: instant(600_000),
      confirmed_at: null,
      verdict: null,
      attempts: [
        {
          carrier: 'smsc',
          channel: 'sms',
          reference: 'carrier-1',
          outcome: 'accepted',
          reason: null,
          started_at: instant(1_000),
          ended_at: instant(1_020),
          receipt: { status: 'delivered', reason: 'read', network: '26201', at: instant(5_000) },
        },
      ],
    },
  );

  const inShop = await run('erase', ...destination, '--account', 'shop');
  assert.deepEqual([inShop.status, inShop.stdout], [0, `erased 1 verification of ${MASKED}\n`]);
  assert.equal((await withStore(place, (store) => store.findEarlyReceipts(made.recipientTags))).length, 2);
  assert.equal(
    (await run('erase', ...destination)).stdout,
    `erased 2 verifications of ${MASKED}
it stays on the do-not-send list of acme, so that it gets no messages; --also-do-not-send takes it off
`,
  );
  const again = await run('erase', ...destination, '--also-do-not-send');
  assert.deepEqual(
    [again.status, again.stdout],
    [0, `found no verification of ${MASKED}\ntook it off the do-not-send list of acme\n`],
  );

  await withStore(place, async (store) => {
    assert.deepEqual(await store.findEarlyReceipts(made.recipientTags), []);
    assert.ok(
      await store.findArchived(seenByPeople(made.shop), made.other.id, Date.now()),
      'another number stays',
    );
    const logged = await readAuditLog(store, made.acme);
    const entries = logged.entries.filter(({ action }) => action.startsWith('number.'));
    assert.deepEqual(
      entries.map(({ action, subject, who }) => [action, subject, who]),
      [
        ['number.unblocked', 'a number', 'command line'],
        ['number.erased', MASKED, 'command line'],
        ['number.exported', MASKED, 'command line'],
        ['number.blocked', 'a number', 'command line'],
      ],
    );
    const listed = async (accountId: string) =>
      (await listBlockedNumbers({ records: store, keyring: new Keyring(NEW, SECRET) }, accountId)).numbers
        .length;
    assert.deepEqual([await listed(made.acme), await listed(made.shop)], [0, 1]);
    assert.ok(!JSON.stringify(logged).includes(NUMBER.slice(3)));
  });
});

test('what cannot be answered is refused, and nothing is said to be held or not', async () => {
  using place = createWorkplace();
  const run = async (args: readonly string[], secret = SECRET) =>
    await place.run(['numbers', ...args], { COUNTERSIGN_SECRET: secret });
  await withStore(place, async (store) => send(store, new Keyring(SECRET), 'acc_1', NUMBER));
  for (const [args, said, secret] of [
    [
      ['export', '--destination', '12'],
      /countersign: --destination .* Expected a telephone number in E\.164 format/,
    ],
    [['erase', '--destination', NUMBER, '--account', 'none'], /--account must be the name of an account/],
    [['erase', '--destination', NUMBER], /the secret of this configuration does not open the store/, NEW],
  ] as const) {
    const { status, stdout, stderr } = await run(args, secret);
    assert.deepEqual([status, stdout], [1, ''], args.join(' '));
    assert.match(stderr, said);
    assert.ok(!stderr.includes(NUMBER));
  }
});
