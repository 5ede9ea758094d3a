import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { LAX } from '../../../test/store/contract/rig.ts';
import { findAccountId } from '../../accounts/accounts.ts';
import { addGuardRule } from '../../accounts/guarding/guard-rules.ts';
import { COMMAND_LINE } from '../../core/accounts/actor.ts';
import { prefixOf } from '../../core/accounts/api-key-format.ts';
import { SYSTEM_CLOCK } from '../../core/seams/clock.ts';
import { SYSTEM_RANDOM } from '../../core/seams/random.ts';
import { Keyring } from '../../core/secrets/keyring.ts';
import { Guard } from '../../guard/guard.ts';
import { MemoryKeeper } from '../../guard/live/memory-keeper.ts';
import { openSqliteStore } from '../../store/sqlite/store.ts';
import { createWorkplace } from '../fixture.ts';

const SECRET = 'a secret of the tests, which is long enough for all';
const NUMBER = '+212661234567';
const IP = '203.0.113.77';
const MINUTE = 60_000;

test('guard explain: the number, the places and the rule, as of when, and no full number', async () => {
  using place = createWorkplace();
  place.write('countersign.yaml', JSON.stringify({ secret: SECRET }));
  const run = (...args: string[]) => place.run(args, { COUNTERSIGN_CONFIG: 'countersign.yaml' });
  const key = await place.makeStore();
  assert.match((await run('guard', 'explain', NUMBER)).stdout, /nothing is kept yet/);

  const store = await openSqliteStore({ dataDir: join(place.folder, 'data'), exclusive: false, ...LAX });
  const keyring = new Keyring(SECRET);
  const now = Date.now();
  const account = (await findAccountId(store, 'default')) ?? '';
  const guard = new Guard({ origin: now - 100 * MINUTE });
  const network = keyring.clientNetworkHash(IP);
  // A flood of one range from one address, and, ten minutes after, two codes to the number.
  for (let index = 0; index < 62; index++) {
    const destination = index < 60 ? `+212661234${`${index}`.padStart(3, '0')}` : NUMBER;
    const at = now - (index < 60 ? 41 : 31) * MINUTE + index * 1_000;
    const number = keyring.recipientTag(destination);
    const ask = { at, account, key: 'key_1', number, destination, country: 'MA', network };
    const judgement = guard.judge(ask);
    if (judgement.allow || index >= 60) guard.sent(ask, judgement);
  }
  const time = { now: () => now - 20_000, clock: SYSTEM_CLOCK, random: SYSTEM_RANDOM };
  const keeper = new MemoryKeeper({ guard, records: store, shared: false, log: () => {}, ...time });
  await keeper.takeRound();
  await keeper[Symbol.asyncDispose]();
  const rule = { accountId: null, action: 'deny', subject: 'range', value: '+21266123' } as const;
  const added = await addGuardRule(
    { records: store, keyring },
    { ...rule, endsAt: null, reason: 'pumped', by: COMMAND_LINE, now },
  );
  assert.equal(added.kind, 'added');
  await store.close();

  const { status, stdout, stderr } = await run(
    'guard',
    'explain',
    NUMBER,
    '--account',
    'default',
    '--ip',
    IP,
  );
  assert.equal(status, 0, stderr);
  assert.match(stderr, /^store: \//);
  const [, newest, oldest] = /^\+212•+67 \(MA\), as kept (\d+) to (\d+) s ago/.exec(stdout) ?? [];
  const most = Math.ceil((Date.now() - now) / 1_000) + 20;
  assert.ok(Number(newest) >= 20 && Number(newest) <= Number(oldest) && Number(oldest) <= most, stdout);
  assert.match(stdout, /\nrule: deny, of the range: pumped\n/);
  assert.match(stdout, /\nnumber: not known: .*; 1\.8 codes unconfirmed, refused at 6\n/);
  assert.match(stdout, /\nrange of 1,000 \+212661234 +closed .*a message tries it about every \d+ s/);
  assert.match(stdout, /\nPLACE +STATE .* CONFIRMED +USUAL +ODDS E/);
  assert.match(stdout, /\nclient's network +(open|closed) /);
  assert.doesNotMatch(stdout, /\nkey /);
  assert.ok(!`${stdout}${stderr}`.includes('1234567') && !stdout.includes(IP));
  const whole = (await run('guard', 'explain', NUMBER)).stdout;
  assert.match(whole, /a code of an account is open: others are refused/);
  assert.doesNotMatch(whole, /\n(key|account|country of the account|client's network|countries) /);
  assert.match(
    (await run('guard', 'explain', NUMBER, '--account', account, '--key', prefixOf(key))).stdout,
    /\nkey +new .*nothing was sent here yet/,
  );

  const refused = async (words: RegExp, ...args: string[]) => {
    const failed = await run('guard', 'explain', ...args);
    assert.equal(failed.status, 1);
    assert.match(failed.stderr, words);
    assert.ok(!failed.stderr.includes('1234567'));
  };
  await refused(/expected a full number/, '0661 234567');
  await refused(/--account must be the name or the id of an account/, NUMBER, '--account', 'nobody');
  await refused(/--key must be the id or the prefix of a key/, NUMBER, '--key', 'nothing');
  await refused(/--ip must be an IP address/, NUMBER, '--ip', 'home');
});
