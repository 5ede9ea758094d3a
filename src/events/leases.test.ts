/** Who sends to an endpoint: one node at a time, for as long as its lease is its own. */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import type { Records } from '../core/sql/records.ts';
import { DAY, hang, LEASE, openSenderRig, SECOND, status, urlOf } from './fixture.ts';
import type { Sender } from './sender.ts';

suite('the lease of an endpoint', () => {
  test('another node takes over when the lease ends, and not before', async () => {
    await using rig = await openSenderRig();
    const { clock, posted, newSender, add, write, round } = rig;
    const hook = await add('shared');
    const [first, second] = [newSender({ node: 'first' }), newSender({ node: 'second' })];
    await round(first);
    await write(hook);
    await round(second);
    assert.equal(posted.length, 0);
    clock.pass(LEASE);
    await round(second);
    assert.equal(posted.length, 1);
    await write(hook);
    await first.findWork();
    await turn();
    assert.equal(posted.length, 1, 'a lease that has ended sends nothing');
    await second.stop();
    await round(first);
    assert.equal(posted.length, 2, 'what stops frees its endpoints');
  });

  test('a lease of a node whose clock was ahead does not last until then', async () => {
    await using rig = await openSenderRig();
    const { clock, posted, newSender, add, write, round } = rig;
    const hook = await add('ahead');
    const [first, second] = [newSender({ node: 'first' }), newSender({ node: 'second' })];
    clock.step(DAY);
    await first.look();
    clock.step(-DAY);
    await write(hook);
    await round(second);
    assert.equal(posted.length, 1);
  });

  test('who lost an endpoint settles no failure of it', async () => {
    await using rig = await openSenderRig();
    const { clock, answers, unanswered, newSender, add, write, round, messagesOf } = rig;
    const hook = await add('slow');
    answers.set(urlOf('slow'), hang);
    const [first, second] = [newSender({ node: 'first' }), newSender({ node: 'second' })];
    const fail = async (which: number, sender: Sender) => {
      unanswered[which]?.(status(500));
      await turn();
      await sender.write();
      return (await messagesOf(hook))[0]?.tries;
    };
    await write(hook);
    await round(first);
    clock.pass(LEASE);
    await round(second);
    // One of another endpoint has the same number as the lease that was lost.
    await add('another');
    await round(second);
    assert.equal(unanswered.length, 2);
    assert.equal(await fail(0, first), 0);
    assert.equal(await fail(1, second), 1);
  });

  test('who has an endpoint again has forgotten what it knew of it', async () => {
    await using rig = await openSenderRig();
    const { clock, answers, posted, unanswered, newSender, add, write, round, messagesOf } = rig;
    const hook = await add('slow');
    answers.set(urlOf('slow'), hang);
    const [first, second] = [newSender({ node: 'first' }), newSender({ node: 'second' })];
    for (let i = 0; i < 3; i++) await write(hook);
    await round(first);
    clock.pass(LEASE);
    answers.set(urlOf('slow'), () => status(posted.length === 3 ? 500 : 200));
    await round(second);
    const states = async () => (await messagesOf(hook)).map(({ state, tries }) => [state, tries]);
    const left = [
      ['sent', 1],
      ['sent', 1],
      ['waiting', 1],
    ];
    assert.deepEqual(await states(), left);
    // Meanwhile the first did not look once.
    clock.pass(LEASE);
    await first.look();
    for (const answer of unanswered) answer(status(500));
    await turn();
    await first.write();
    assert.deepEqual(await states(), left, 'what failed before is not settled');
    await round(first);
    assert.deepEqual([(await states()).at(-1), posted.length], [['sent', 2], 6], 'nothing is sent again');
  });

  test('a node that stops says what it sent before another takes over', async () => {
    await using rig = await openSenderRig();
    const { store, posted, newSender, add, write, round } = rig;
    const hook = await add('handed over');
    const second = newSender({ node: 'second' });
    const handing: Records = {
      async transact(steps, announce) {
        const answer = await store.transact(steps, announce);
        await round(second);
        return answer;
      },
      random: store.random,
      keysRevision: () => store.keysRevision(),
    };
    const first = newSender({ node: 'first', records: handing });
    await first.look();
    await write(hook);
    await first.findWork();
    await turn();
    assert.equal(posted.length, 1);
    await first.stop();
    await round(second);
    assert.equal(posted.length, 1);
  });

  test('a node that stops frees no endpoint of another', async () => {
    await using rig = await openSenderRig();
    const { posted, newSender, add, write, round } = rig;
    await add('first');
    const [first, second] = [newSender({ node: 'first' }), newSender({ node: 'second' })];
    await first.look();
    const hook = await add('second');
    await second.look();
    await first.stop();
    await write(hook);
    await round(newSender({ node: 'third' }));
    assert.equal(posted.length, 0);
    await round(second);
    assert.equal(posted.length, 1);
  });

  test('a lease counts from before the store was asked for it', async () => {
    await using rig = await openSenderRig();
    const { store, clock, posted, newSender, add, write } = rig;
    const hook = await add('late');
    let answersAfter = 10 * SECOND;
    const slow: Records = {
      async transact(steps, announce) {
        const answer = await store.transact(steps, announce);
        clock.pass(answersAfter);
        return answer;
      },
      random: store.random,
      keysRevision: () => store.keysRevision(),
    };
    const sender = newSender({ node: 'slow', records: slow });
    await sender.look();
    await write(hook);
    answersAfter = 0;
    clock.pass(5 * SECOND);
    await sender.findWork();
    await turn();
    assert.equal(posted.length, 0);
  });

  test('a lease is renewed before it ends, as long as the node runs', async (t) => {
    await using rig = await openSenderRig();
    const { store, newSender, add } = rig;
    await add('lasting');
    let taken = 0;
    const counting: Records = {
      async transact(steps, announce) {
        const answer = await store.transact(steps, announce);
        if (steps.some((step) => 'sql' in step && step.sql.includes('leased_until = CAST'))) taken += 1;
        return answer;
      },
      random: store.random,
      keysRevision: () => store.keysRevision(),
    };
    t.mock.timers.enable({ apis: ['setTimeout'] });
    const sender = newSender({ records: counting });
    sender.start();
    t.mock.timers.tick(0);
    const reaches = async (count: number) => {
      for (let turns = 0; taken < count && turns < 1_000_000; turns++) await turn();
      // Its end sets the next timer.
      await turn();
      return taken;
    };
    for (const count of [1, 2, 3]) {
      assert.equal(await reaches(count), count);
      t.mock.timers.tick(LEASE - 1);
    }
    t.mock.timers.reset();
    await sender.stop();
  });

  test('what waits in memory is not sent once the lease has ended', async () => {
    await using rig = await openSenderRig();
    const { clock, answers, posted, unanswered, newSender, add, write, round } = rig;
    const hook = await add('slow');
    answers.set(urlOf('slow'), hang);
    const sender = newSender();
    for (let i = 0; i < 3; i++) await write(hook);
    await round(sender);
    assert.equal(posted.length, 2);
    clock.pass(LEASE);
    unanswered[0]?.(status(200));
    await turn();
    assert.equal(posted.length, 2);
  });
});
