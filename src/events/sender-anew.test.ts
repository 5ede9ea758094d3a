/** An endpoint that has another address, or is enabled again: it begins anew. */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { disableWebhook, enableWebhook } from '../accounts/webhooks/endpoints.ts';
import { THE_SERVICE } from '../core/accounts/actor.ts';
import { ACCOUNT, DAY, HOUR, hang, openSenderRig, status, urlOf } from './fixture.ts';

suite('an endpoint that begins anew', () => {
  test('an endpoint that moves gets what follows at its new address', async () => {
    await using rig = await openSenderRig();
    const { posted, newSender, add, move, write, round } = rig;
    const hook = await add('before');
    const sender = newSender();
    await write(hook);
    await round(sender);
    await move(hook, 'after');
    await write(hook);
    await round(sender);
    assert.deepEqual(
      posted.map(({ url }) => url),
      [urlOf('before'), urlOf('after')],
    );
  });

  test('an endpoint at another address begins anew: no pause, no failures, and what waits is sent', async () => {
    await using rig = await openSenderRig();
    const { clock, answers, posted, newSender, add, move, write, round, stateOf, messagesOf } = rig;
    const hook = await add('before');
    answers.set(urlOf('before'), () => status(503, HOUR));
    answers.set(urlOf('after'), () => status(500));
    const sender = newSender();
    await write(hook);
    await round(sender);
    clock.pass(5 * DAY);
    await move(hook, 'after');
    const moved = await stateOf(hook);
    assert.deepEqual([moved?.failingSince, moved?.lastFailure], [null, null]);
    await round(sender);
    assert.deepEqual(
      posted.map(({ url }) => url),
      [urlOf('before'), urlOf('after')],
    );
    const state = await stateOf(hook);
    assert.deepEqual([state?.failingSince, state?.disabled], [clock.now(), null]);
    assert.equal((await messagesOf(hook))[0]?.tries, 1, 'and has all of its tries');
  });

  test('what the address before answers late says nothing of the one after it', async () => {
    await using rig = await openSenderRig();
    const { answers, posted, unanswered, newSender, add, move, write, round, stateOf, messagesOf } = rig;
    for (const late of [status(410), status(500)]) {
      const hook = await add('before');
      answers.set(urlOf('before'), hang);
      answers.set(urlOf('after'), hang);
      const sender = newSender();
      await write(hook);
      await round(sender);
      await move(hook, 'after');
      await sender.look();
      unanswered.pop()?.(late);
      await turn();
      await sender.write();
      const state = await stateOf(hook);
      assert.deepEqual([state?.disabled, state?.failingSince, state?.lastFailure], [null, null, null]);
      await round(sender);
      assert.equal(posted.at(-1)?.url, urlOf('after'));
      unanswered.pop()?.(status(200));
      await turn();
      await sender.write();
      assert.deepEqual((await messagesOf(hook))[0]?.failures, []);
      await sender.stop();
    }
  });

  test('an endpoint that is enabled again is asked at once, whatever pause it wanted before', async () => {
    await using rig = await openSenderRig();
    const { store, clock, answers, posted, newSender, add, write, round } = rig;
    const hook = await add('back');
    answers.set(urlOf('back'), () => status(503, HOUR));
    const sender = newSender();
    await write(hook);
    await round(sender);
    answers.delete(urlOf('back'));
    const change = { accountId: ACCOUNT, id: hook, by: THE_SERVICE, now: clock.now() };
    await disableWebhook(store, change, 'by-hand');
    await enableWebhook(store, { ...change, mayGiveNumbers: false });
    await write(hook);
    await round(sender);
    assert.equal(posted.length, 2);
  });
});
