/** The messages of an endpoint, as people look at them and have them sent again. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  findMessage,
  type ReplayPeriod,
  recentMessages,
  replayMessage,
  replayMessages,
  testWebhook,
} from '../../../../../src/accounts/webhooks/messages.ts';
import { failureLine } from '../../../../../src/core/events/event.ts';
import { query, type Step } from '../../../../../src/core/sql/records.ts';
import { HOUR, MINUTE, unique } from '../../rig.ts';
import { NOW, type WebhookRig } from './rig.ts';

const FAILURES = [
  { at: NOW, answer: 'no answer within 15 s' },
  { at: NOW + 5, answer: 'HTTP 500' },
];

export function describeMessages(rig: WebhookRig): void {
  const { added, of, audited } = rig;

  /** Messages a minute apart, the first now: given up, taken and waiting in turn. */
  async function write(webhookId: string, count: number): Promise<string[]> {
    const ids = Array.from({ length: count }, () => unique('msg'));
    const steps = ids.map((id, i): Step => {
      const [due, sent] = [i % 3 === 2 ? NOW + HOUR : null, i % 3 === 1 ? NOW : null];
      return {
        sql: `INSERT INTO webhook_message
            (id, webhook_id, type, verification_id, carrier, at, due_at, tries, last_try_at, last_answer, failures, sent_at)
          VALUES ($1, $2, 'delivery.accepted', 'ver_1', 'smsc', $3, $4, 2, $5, 'HTTP 500', $7, $6)`,
        args: [id, webhookId, NOW + i * MINUTE, due, NOW, sent, FAILURES.map(failureLine).join('')],
      };
    });
    for (let first = 0; first < count; first += 200)
      await rig.store.transact(steps.slice(first, first + 200));
    return ids;
  }

  test('have messages, which are shown a page at a time, newest first', async () => {
    const { store, acme, other } = rig;
    const { id } = await added();
    await write((await added({}, other)).id, 3);
    const ids = await write(id, 120);
    const seen: string[] = [];
    for (let next: number | null | undefined; next !== null; ) {
      const page = await recentMessages(store, acme, id, next);
      assert.ok(page.messages.length <= 50);
      seen.push(...page.messages.map((message) => message.id));
      next = page.next;
    }
    assert.deepEqual(seen, ids.toReversed());
    const states = [];
    for (const one of ids.slice(0, 3)) states.push(await findMessage(store, acme, id, one));
    assert.deepEqual(
      states.map((found) => [found?.state, found?.nextTryAt, found?.sentAt]),
      [
        ['given-up', null, null],
        ['sent', null, NOW],
        ['waiting', NOW + HOUR, null],
      ],
    );
    const { seq: _, ...shown } = states[0] ?? assert.fail();
    assert.deepEqual(shown, {
      ...{
        id: ids[0],
        type: 'delivery.accepted',
        verificationId: 'ver_1',
        channel: null,
        carrier: 'smsc',
        reason: null,
      },
      ...{ at: NOW, state: 'given-up', tries: 2, nextTryAt: null, lastTryAt: NOW, lastAnswer: 'HTTP 500' },
      ...{ failures: FAILURES, sentAt: null },
    });
  });

  test('are tried out with a message of their own', async () => {
    const { store, acme } = rig;
    const { id } = await added({ types: ['delivery.failed'] });
    const message = (await testWebhook(store, of(id))) ?? '';
    const found = await findMessage(store, acme, id, message);
    assert.deepEqual(
      [found?.type, found?.state, found?.nextTryAt, found?.tries, found?.verificationId],
      ['webhook.test', 'waiting', 0, 0, null],
    );
    assert.deepEqual((await audited(acme)).at(-1), ['Ada', 'webhook.tested', id, '']);
  });

  const stateOf = async (webhookId: string, id: string) =>
    (await findMessage(rig.store, rig.acme, webhookId, id))?.state;

  test('get one message again, unless it is waiting', async () => {
    const { store, acme } = rig;
    const { id } = await added();
    const [given = '', taken = '', waiting = '', other = ''] = await write(id, 4);
    for (const message of [given, taken]) {
      assert.equal(await replayMessage(store, { ...of(id), message }), true);
      const found = await findMessage(store, acme, id, message);
      assert.deepEqual(
        [found?.state, found?.nextTryAt, found?.tries, found?.failures],
        ['waiting', 0, 0, []],
      );
    }
    assert.equal(await replayMessage(store, { ...of(id), message: waiting }), false);
    assert.equal(await replayMessage(store, { ...of(id), message: 'msg_none' }), false);
    const second = await added();
    assert.equal(
      await replayMessage(store, { ...of(second.id), message: other }),
      false,
      'of another endpoint',
    );
    assert.equal(await stateOf(id, other), 'given-up');
    assert.deepEqual(
      (await audited(acme)).filter(([, action]) => action === 'webhook.replayed').map(([, , , what]) => what),
      [given, taken],
    );
  });

  test('get the messages of a time span again: what was given up, or what they took, too', async () => {
    const { store, acme } = rig;
    const { id } = await added();
    const ids = await write(id, 12);
    const replay = (wanted: Partial<ReplayPeriod>) =>
      replayMessages(store, {
        ...of(id),
        ...{ since: NOW + 3 * MINUTE, until: NOW + 9 * MINUTE, alsoTaken: false, ...wanted },
      });
    assert.equal(await replay({}), 2);
    assert.deepEqual(await Promise.all(ids.map((one) => stateOf(id, one))), [
      ...['given-up', 'sent', 'waiting', 'waiting', 'sent', 'waiting'],
      ...['waiting', 'sent', 'waiting', 'given-up', 'sent', 'waiting'],
    ]);
    assert.equal(await replay({ alsoTaken: true }), 2);
    assert.equal(await replay({ alsoTaken: true }), 0);
    assert.equal(await replay({ since: 0, until: NOW + HOUR, alsoTaken: true }), 4);
    const span = 'from 2001-09-09T01:49:40.000Z to 2001-09-09T01:55:40.000Z';
    assert.deepEqual(
      (await audited(acme)).filter(([, action]) => action === 'webhook.replayed')[0]?.at(-1),
      `given up, ${span}`,
    );
  });

  test('get thousands again, each once, however many ask at the same moment', async () => {
    const { store, other } = rig;
    const second = await rig.second();
    const { id } = await added();
    const theirs = await added({}, other);
    await write(id, 1_800);
    await write(theirs.id, 3);
    const all = { ...of(id), since: 0, until: NOW + 10_000 * HOUR, alsoTaken: true };
    const counts = await Promise.all([store, second, store].map((each) => replayMessages(each, all)));
    assert.equal(
      counts.reduce<number>((sum, one) => sum + (one ?? 0), 0),
      1_200,
    );
    const left = 'SELECT count(*) AS n FROM webhook_message WHERE webhook_id = $1 AND due_at IS NULL';
    assert.equal((await query(store, left, id))[0]?.n, 0);
    assert.equal((await query(store, left, theirs.id))[0]?.n, 2);
  });
}
