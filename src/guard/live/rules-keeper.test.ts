import assert from 'node:assert/strict';
import { test } from 'node:test';
import { StoreUnavailable } from '../../core/errors/store-failure.ts';
import { SYSTEM_CLOCK } from '../../core/seams/clock.ts';
import { SYSTEM_RANDOM } from '../../core/seams/random.ts';
import { Keyring } from '../../core/secrets/keyring.ts';
import type { Records, Row } from '../../core/sql/records.ts';
import type { OperatorRule } from '../rules.ts';
import { keepRules, readRules } from './rules-keeper.ts';

const keyring = new Keyring('a secret of the tests, which is long enough for all');

function ruleOf(value: string): Row {
  const rest = { account_id: null, action: 'deny', subject: 'range', value_sealed: null, ends_at: null };
  return { id: `grl_${value}`, value, reason: 'pumped', ...rest };
}

test('the guard gets the rules before the first request and when they change; a failing store keeps the old ones', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const turn = () => new Promise((resolve) => setImmediate(resolve));
  let [revision, rows, isAway, reads] = [3, [ruleOf('+998')], false, 0];
  const records: Pick<Records, 'transact'> = {
    async transact(steps) {
      if (isAway) throw new StoreUnavailable('it is away');
      if (steps.length > 1) reads += 1;
      return { done: true, rows: [[{ value: revision }], ...(steps.length > 1 ? [rows] : [])] };
    },
  };
  const logged: string[] = [];
  let held: readonly OperatorRule[] = [];
  const parts = {
    guard: {
      setRules(rules: readonly OperatorRule[]) {
        held = rules;
      },
    },
    records: { ...records, random: SYSTEM_RANDOM, keysRevision: async () => 0 },
    keyring,
    clock: SYSTEM_CLOCK,
    log: (_: string, message: string) => void logged.push(message),
  };
  const second = async () => {
    t.mock.timers.tick(1_000);
    await turn();
  };
  const values = () => held.map(({ value }) => value);
  const accounts = () => held.map(({ account }) => account);

  const keeper = await keepRules(parts);
  assert.deepEqual([values(), reads], [['+998'], 1]);
  await second();
  assert.equal(reads, 1, 'nothing changed');
  const lost = new Keyring('a secret that nobody has any more, whatever it was').seal('+4915112345678', 'x');
  rows = [ruleOf('+998'), { ...ruleOf('hash'), subject: 'number', value_sealed: lost }, ruleOf('+212')];
  revision += 1;
  await second();
  assert.deepEqual([values(), reads], [['+998', '+212'], 2], 'and not one that no secret opens any more');

  isAway = true;
  rows = [];
  revision += 1;
  await second();
  await second();
  assert.deepEqual(values(), ['+998', '+212']);
  assert.equal(logged.length, 2, 'the log keeps repetitions back');
  isAway = false;
  await second();
  assert.deepEqual(values(), []);
  isAway = true;
  await second();
  assert.equal(logged.length, 3);
  // A store that was put back counts from an earlier number.
  [isAway, rows, revision] = [false, [ruleOf('+49'), { ...ruleOf('+48'), account_id: 'acc_1' }], 0];
  await second();
  assert.deepEqual(values(), ['+49', '+48']);
  assert.deepEqual(accounts(), [undefined, 'acc_1'], 'each with the account that it is of');
  keeper[Symbol.dispose]();
  // A start does not wait for ever, and hears of the rules when the store is back.
  let tries = 0;
  isAway = true;
  logged.length = 0;
  const transact: Records['transact'] = (steps) => {
    tries += 1;
    return records.transact(steps);
  };
  const late = await keepRules({ ...parts, records: { ...parts.records, transact } });
  assert.deepEqual([tries, logged.length], [3, 3]);
  [isAway, rows] = [false, [ruleOf('+7')]];
  await second();
  assert.deepEqual(values(), ['+7']);
  late[Symbol.dispose]();
});

test('a rule that only a newer version knows is left out, and the others hold', async () => {
  const rows = [
    { ...ruleOf('DE'), subject: 'continent' },
    { ...ruleOf('FR'), action: 'delay' },
    ruleOf('+998'),
  ];
  const records: Records = {
    transact: async () => ({ done: true, rows: [[{ value: 1 }], rows] }),
    random: SYSTEM_RANDOM,
    keysRevision: async () => 0,
  };
  const { rules } = await readRules(records, keyring);
  assert.deepEqual(
    rules.map(({ value }) => value),
    ['+998'],
  );
});
