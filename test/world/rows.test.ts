/** What is kept is looked at: each of these is a fault that somebody put into the database. */
import assert from 'node:assert/strict';
import type { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, suite, test } from 'node:test';
import { Secrets } from './leaks.ts';
import { FIXED, LIVE, US } from './model/story.ts';
import { Rows } from './rows.ts';
import { Simulation } from './simulation.ts';

suite('what is kept', () => {
  let simulation: Simulation;
  let database: DatabaseSync;
  let rows: Rows;
  beforeEach(async () => {
    const live = { ...LIVE, budgets: [{ of: 'account', per: 'day', messages: 5 } as const] };
    simulation = await Simulation.start({ seed: 1, fixed: FIXED, live });
    database = simulation.database ?? assert.fail('it has a disk of its own');
    rows = new Rows(database, FIXED, simulation.now);
    await simulation.do({ do: 'verify', key: 'a-live', to: US, channel: 'sms' });
    await simulation.do({ do: 'wait', ms: 1_000 });
    await simulation.do({ do: 'report', sent: 0, status: 'delivered' });
    await simulation.do({ do: 'wait', ms: 1_000 });
  });
  afterEach(() => simulation[Symbol.asyncDispose]());

  const change = (sql: string) => database.prepare(sql).run().changes;
  const leak = () => {
    const secrets = new Secrets();
    secrets.learn(simulation.happenings);
    return Array.from(rows.texts(), ([table, text]) => secrets.findIn(table, text)).find(
      (each) => each !== undefined,
    );
  };

  test('nothing is wrong with it', async () => {
    assert.equal(leak(), undefined);
    assert.equal(rows.miscounted(simulation.now, false), undefined);
    assert.equal(rows.stale(simulation.now, false), undefined);
    assert.equal(await rows.tampered(simulation.now), undefined);
  });

  test('a code, a number or a key in clear', () => {
    const sent = simulation.happenings.find((each) => each.kind === 'sent');
    for (const secret of [sent?.code, US, simulation.tokens()[0]]) {
      change(`UPDATE verification SET details_sealed = '{"is":"${secret}"}'`);
      assert.match(leak() ?? '', /^(the code|the number|a key) .*is in the table verification/);
    }
  });

  for (const figure of ['requested', 'delivered', 'cost'])
    test(`a figure that counts too much or too little: ${figure}`, () => {
      for (const by of [1, -2]) {
        assert.notEqual(change(`UPDATE tally SET ${figure} = ${figure} + ${by} WHERE ${figure} > 0`), 0);
        assert.match(rows.miscounted(simulation.now, false) ?? '', /are counted, and/);
      }
      assert.match(
        rows.miscounted(simulation.now, true) ?? '',
        /are counted, and/,
        'too little after an erasure',
      );
    });

  test('a budget of which less is used than messages hold', async () => {
    await simulation.do({ do: 'carrier', carrier: 'one', conduct: 'failed for now' });
    await simulation.do({ do: 'carrier', carrier: 'two', conduct: 'failed for now' });
    await simulation.do({ do: 'verify', key: 'a-live', to: US, channel: 'sms' });
    assert.equal(rows.miscounted(simulation.now, false), undefined);
    change('UPDATE budget_use SET messages = 0');
    assert.match(rows.miscounted(simulation.now, false) ?? '', /are used of account per day/);
  });

  test('what is kept for too long', () => {
    change('UPDATE attempt SET ended_at = 1');
    assert.match(rows.stale(simulation.now, false) ?? '', /an attempt is kept since 1970/);
  });

  test('an audit log that somebody changed', async () => {
    change("UPDATE audit_entry SET who = 'nobody'");
    assert.match((await rows.tampered(simulation.now)) ?? '', /the audit log of a: /);
  });
});
