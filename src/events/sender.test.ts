/** The schedule over days, and how the room is shared. */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { readAuditLog } from '../accounts/audit.ts';
import { disableWebhook, enableWebhook } from '../accounts/webhooks/endpoints.ts';
import { rotateWebhookSecret } from '../accounts/webhooks/secrets.ts';
import { THE_SERVICE } from '../core/accounts/actor.ts';
import { StoreUnavailable } from '../core/errors/store-failure.ts';
import type { EventSubject } from '../core/events/event.ts';
import type { EventQueue } from '../core/events/queue.ts';
import { Keyring } from '../core/secrets/keyring.ts';
import type { Records } from '../core/sql/records.ts';
import {
  ACCOUNT,
  DAY,
  HOUR,
  hang,
  MINUTE,
  OTHER_ACCOUNT,
  openSenderRig,
  SECOND,
  status,
  urlOf,
} from './fixture.ts';

suite('the sender of webhooks', () => {
  test('tries again on schedule, under the same id, until it succeeds', async () => {
    await using rig = await openSenderRig();
    const { clock, answers, posted, tried, newSender, add, write, round, stateOf, messagesOf } = rig;
    const hook = await add('failing');
    const id = await write(hook);
    const begun = clock.now();
    answers.set(urlOf('failing'), () => status(clock.now() - begun < HOUR ? 500 : 200));
    const sender = newSender();
    const tries = [
      0,
      5 * SECOND,
      5 * MINUTE + 5 * SECOND,
      35 * MINUTE + 5 * SECOND,
      155 * MINUTE + 5 * SECOND,
    ];
    await round(sender);
    for (const at of [...tries.slice(1), 4 * HOUR]) {
      clock.pass(begun + at - 1 - clock.now());
      await round(sender);
      clock.pass(1);
      await round(sender);
    }
    assert.deepEqual(
      posted.map(({ at }) => at - begun),
      tries,
    );
    assert.deepEqual(new Set(posted.map(({ headers }) => headers['webhook-id'])), new Set([id]));
    assert.deepEqual(
      posted.map(({ headers }) => headers['webhook-timestamp']),
      posted.map(({ at }) => String(at / SECOND)),
    );
    const [message] = await messagesOf(hook);
    assert.deepEqual([message?.state, message?.tries, message?.lastAnswer], ['sent', 5, null]);
    assert.equal(message?.failures.length, 4, 'each is kept');
    assert.deepEqual(tried, ['failed', 'failed', 'failed', 'failed', 'sent']);
    assert.equal((await stateOf(hook))?.failingSince, null);
  });

  test('gives a message up after ten tries, and an endpoint after five days', async () => {
    await using rig = await openSenderRig();
    const { store, clock, answers, posted, logged, newSender, add, write, round, stateOf, messagesOf } = rig;
    const hook = await add('dead');
    await write(hook);
    answers.set(urlOf('dead'), () => status(503));
    const sender = newSender();
    const begun = clock.now();
    for (; clock.now() - begun < 4 * DAY; clock.pass(30 * MINUTE)) await round(sender);
    const [message] = await messagesOf(hook);
    assert.deepEqual([message?.state, message?.tries, message?.lastAnswer], ['given-up', 10, 'HTTP 503']);
    assert.deepEqual(
      message?.failures.map(({ answer }) => answer),
      Array(10).fill('HTTP 503'),
    );
    assert.equal(posted.length, 10);
    assert.equal((await stateOf(hook))?.disabled, null);
    for (; clock.now() - begun < 6 * DAY; clock.pass(6 * HOUR)) {
      if ((await stateOf(hook))?.disabled === null) await write(hook);
      await round(sender);
      await turn();
    }
    const state = await stateOf(hook);
    assert.deepEqual(state?.disabled, { at: begun + 5 * DAY, why: 'failing' });
    assert.equal(state?.failingSince, begun);
    assert.ok(logged.includes('webhook disabled'));
    const [entry] = (await readAuditLog(store, ACCOUNT)).entries;
    assert.deepEqual([entry?.action, entry?.who, entry?.subject], ['webhook.disabled', 'the service', hook]);
  });

  test('an endpoint that says that it is gone is left alone until it is enabled', async () => {
    await using rig = await openSenderRig();
    const { store, clock, answers, posted, newSender, add, write, round, stateOf, messagesOf } = rig;
    const hook = await add('gone');
    await write(hook);
    answers.set(urlOf('gone'), () => status(410));
    const sender = newSender();
    await round(sender);
    await turn();
    await round(sender);
    assert.deepEqual((await stateOf(hook))?.disabled, { at: clock.now(), why: 'gone' });
    clock.pass(HOUR);
    await round(sender);
    assert.equal(posted.length, 1);
    answers.delete(urlOf('gone'));
    assert.ok(
      await enableWebhook(store, {
        ...{ accountId: ACCOUNT, id: hook, by: THE_SERVICE, now: clock.now() },
        mayGiveNumbers: false,
      }),
    );
    await round(sender);
    assert.deepEqual([posted.length, (await messagesOf(hook))[0]?.state], [2, 'sent']);
  });

  test('what becomes of one endpoint says nothing of another', async () => {
    await using rig = await openSenderRig();
    const { clock, answers, newSender, add, write, round, stateOf } = rig;
    const [bad, good] = [await add('bad'), await add('good')];
    answers.set(urlOf('bad'), () => status(500));
    const sender = newSender();
    await write(bad);
    await round(sender);
    const failed = await stateOf(bad);
    assert.equal(failed?.failingSince, clock.now());
    assert.equal((await stateOf(good))?.failingSince, null);
    await write(good);
    await round(sender);
    assert.deepEqual(await stateOf(bad), failed);
  });

  test('an endpoint that somebody disables gets nothing more, not even what is in memory', async () => {
    await using rig = await openSenderRig();
    const { store, clock, answers, posted, unanswered, closed, newSender, add, write, round } = rig;
    const hook = await add('slow');
    answers.set(urlOf('slow'), hang);
    for (let i = 0; i < 3; i++) await write(hook);
    const sender = newSender({ bounds: { perEndpoint: 1, atOnce: 4 } });
    await round(sender);
    assert.equal(posted.length, 1);
    await disableWebhook(
      store,
      { accountId: ACCOUNT, id: hook, by: THE_SERVICE, now: clock.now() },
      'by-hand',
    );
    await sender.look();
    await sender.write();
    assert.deepEqual(closed, [], 'what is under way comes back');
    unanswered[0]?.(status(200));
    await turn();
    await round(sender);
    await round(sender);
    assert.equal(posted.length, 1);
    assert.deepEqual(closed, [urlOf('slow')]);
  });

  test('what asks for quiet gets it', async () => {
    await using rig = await openSenderRig();
    const { clock, answers, posted, newSender, add, write, round } = rig;
    const hook = await add('busy');
    await write(hook);
    answers.set(urlOf('busy'), () => status(429, 10 * MINUTE));
    const sender = newSender();
    await round(sender);
    await write(hook);
    clock.pass(9 * MINUTE);
    await round(sender);
    assert.equal(posted.length, 1);
    answers.delete(urlOf('busy'));
    clock.pass(2 * MINUTE);
    await round(sender);
    assert.equal(posted.length, 3);
    answers.set(urlOf('busy'), () => status(429, 10 * DAY));
    await write(hook);
    await round(sender);
    clock.pass(30 * HOUR);
    await round(sender);
    assert.equal(posted.length, 5, 'but not for as long as it likes');
  });

  test('what could not be written of answers is written later, and nothing is sent twice for it', async () => {
    await using rig = await openSenderRig();
    const { store, posted, newSender, add, write, messagesOf } = rig;
    const hook = await add('healthy');
    for (let i = 0; i < 3; i++) await write(hook);
    let isAway = false;
    const transact: Records['transact'] = (...asked) => {
      if (isAway) throw new StoreUnavailable('down');
      return store.transact(...asked);
    };
    const records = { ...store, transact };
    const sender = newSender({ records, bounds: { perEndpoint: 9, atOnce: 9 } });
    await sender.look();
    await sender.findWork();
    await turn();
    isAway = true;
    await assert.rejects(sender.write(), StoreUnavailable);
    isAway = false;
    await sender.findWork();
    await turn();
    await sender.write();
    assert.equal(posted.length, 3);
    assert.deepEqual(
      (await messagesOf(hook)).map(({ state }) => state),
      ['sent', 'sent', 'sent'],
    );
  });

  test('endpoints that hang hold up nobody else', async () => {
    await using rig = await openSenderRig();
    const { answers, posted, newSender, add, write, round } = rig;
    const hanging = await Promise.all([add('hangs1'), add('hangs2'), add('hangs3')]);
    for (const name of ['hangs1', 'hangs2', 'hangs3']) answers.set(urlOf(name), hang);
    const sender = newSender({ bounds: { perEndpoint: 2, atOnce: 8 } });
    for (const id of hanging) for (let i = 0; i < 5; i++) await write(id);
    await round(sender);
    assert.equal(posted.length, 6);
    const healthy = await add('healthy');
    for (let i = 0; i < 50; i++) await write(healthy);
    await round(sender);
    assert.equal(posted.filter(({ url }) => url.endsWith('/healthy')).length, 50);
  });

  test('slow endpoints of one account leave places for another, and for an endpoint with nothing under way', async () => {
    await using rig = await openSenderRig();
    const { answers, posted, newSender, add, write, round } = rig;
    const paths = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'].map((name) => `slow-${name}`);
    for (const path of paths) answers.set(urlOf(path), hang);
    for (const id of await Promise.all(paths.map((path) => add(path))))
      for (let i = 0; i < 5; i++) await write(id);
    const sender = newSender({ bounds: { perEndpoint: 4, atOnce: 16 } });
    await round(sender);
    const slow = posted.length;
    assert.ok(slow >= 12, 'most places are for who has something to send');
    const beside = await add('beside');
    for (let i = 0; i < 10; i++) await write(beside);
    const other = await add('other', OTHER_ACCOUNT);
    for (let i = 0; i < 10; i++) await write(other, OTHER_ACCOUNT);
    await round(sender);
    const sentTo = (path: string) => posted.filter(({ url }) => url === urlOf(path)).length;
    assert.deepEqual([sentTo('beside'), sentTo('other'), posted.length], [10, 10, slow + 20]);
  });

  test('accounts take turns, and within one its endpoints, from where the last turn ended', async () => {
    await using rig = await openSenderRig();
    const { answers, posted, unanswered, newSender, add, write, round } = rig;
    for (const [path, account] of [
      ...[['a', ACCOUNT] as const, ['b', ACCOUNT] as const, ['c', ACCOUNT] as const],
      ['z', OTHER_ACCOUNT] as const,
    ]) {
      const id = await add(path, account);
      answers.set(urlOf(path), hang);
      for (let i = 0; i < 8; i++) await write(id, account);
    }
    const sender = newSender({ bounds: { perEndpoint: 8, atOnce: 2 } });
    await round(sender);
    for (let i = 0; i < 10; i++) {
      unanswered[i]?.(status(200));
      await turn();
      await turn();
    }
    const order = posted.map(({ url }) => url.at(-1));
    assert.equal(order.length, 12);
    for (let i = 0; i < 10; i++) assert.notEqual(order[i] === 'z', order[i + 1] === 'z', order.join());
    const own = order.filter((path) => path !== 'z');
    for (let i = 0; i < 3; i++) assert.equal(new Set(own.slice(i, i + 3)).size, 3, order.join());
  });

  test('endpoints that fail get one request each, and at most half of all', async () => {
    await using rig = await openSenderRig();
    const { clock, answers, posted, newSender, add, write, round } = rig;
    const sender = newSender({ bounds: { perEndpoint: 2, atOnce: 4 } });
    const failing = await Promise.all(['a', 'b', 'c', 'd'].map((path) => add(path)));
    for (const id of failing) await write(id);
    for (const name of ['a', 'b', 'c', 'd']) answers.set(urlOf(name), () => status(500));
    await round(sender);
    posted.splice(0);
    for (const name of ['a', 'b', 'c', 'd']) answers.set(urlOf(name), hang);
    for (const id of failing) for (let i = 0; i < 3; i++) await write(id);
    clock.pass(MINUTE);
    await round(sender);
    assert.equal(posted.length, 2);
    const healthy = await add('healthy');
    for (let i = 0; i < 10; i++) await write(healthy);
    await round(sender);
    assert.equal(posted.length, 12);
  });

  test('what cannot be read while the store is away is told later, and was not tried', async () => {
    await using rig = await openSenderRig();
    const { store, clock, posted, tried, newSender, add, write, round, messagesOf } = rig;
    const hook = await add('healthy');
    await write(hook);
    const sql = "UPDATE webhook_message SET type = 'verification.requested', verification_id = 'ver_1'";
    await store.transact([{ sql, args: [] }]);
    const subject: EventSubject = {
      ...{ channel: 'sms', country: 'DE', test: false, destinationSealed: '', detailsSealed: null },
    };
    let isAway = true;
    const queue: EventQueue = {
      dueMessages: async (asked) =>
        (await store.dueMessages(asked)).map((message) => ({ ...message, isErased: false })),
      tellExpired: store.tellExpired,
      eventSubject: async () => {
        if (isAway) throw new StoreUnavailable('away');
        return subject;
      },
    };
    const sender = newSender({ queue });
    await round(sender);
    const [waiting] = await messagesOf(hook);
    assert.deepEqual([waiting?.state, waiting?.tries, posted.length], ['waiting', 0, 0]);
    isAway = false;
    clock.pass(SECOND);
    await round(sender);
    const [sent] = await messagesOf(hook);
    assert.deepEqual([sent?.state, sent?.tries, tried], ['sent', 1, ['sent']]);
  });

  test('during a rotation both secrets sign, and then one', async () => {
    await using rig = await openSenderRig();
    const { store, keyring, clock, posted, newSender, add, write, round } = rig;
    const hook = await add('rotating');
    const by = { by: THE_SERVICE, mayGiveNumbers: false };
    const change = { accountId: ACCOUNT, id: hook, now: clock.now(), ...by };
    const sender = newSender();
    assert.ok((await rotateWebhookSecret({ records: store, keyring }, change)) !== undefined);
    await write(hook);
    await round(sender);
    clock.pass(DAY);
    await write(hook);
    await round(sender);
    const counts = posted.map(({ headers }) => headers['webhook-signature']?.split(' ').length);
    assert.deepEqual(counts, [2, 1]);
  });

  test('nothing is sent unsigned, where the secret of an endpoint can no longer be read', async () => {
    await using rig = await openSenderRig();
    const { posted, newSender, add, write, round } = rig;
    const hook = await add('signed');
    await write(hook);
    const other = newSender({ keyring: new Keyring('another secret of forty characters, here') });
    await round(other);
    assert.equal(posted.length, 0);
    await other.stop();
    await round(newSender());
    assert.equal(posted.length, 1);
  });
});
