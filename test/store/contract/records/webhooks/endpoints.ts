/** How people add, change, disable and remove endpoints, and who may. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  disableWebhook,
  enableWebhook,
  findAccountOfWebhook,
  findWebhook,
  listWebhooks,
  removeWebhook,
} from '../../../../../src/accounts/webhooks/endpoints.ts';
import {
  findMessage,
  recentMessages,
  replayMessage,
  replayMessages,
  testWebhook,
} from '../../../../../src/accounts/webhooks/messages.ts';
import { revealWebhookSecret, rotateWebhookSecret } from '../../../../../src/accounts/webhooks/secrets.ts';
import { MAX_WEBHOOKS } from '../../../../../src/core/events/endpoint.ts';
import { query, type Step } from '../../../../../src/core/sql/records.ts';
import { HOUR } from '../../rig.ts';
import { ELSEWHERE, NOW, URL, type WebhookRig } from './rig.ts';

export function describeEndpoints(rig: WebhookRig): void {
  const { add, added, of, change, audited, keyring } = rig;

  test('are added, shown, changed and removed, and the audit log says so without their address', async () => {
    const { store, acme, other } = rig;
    const { id, secret } = await added({ types: ['delivery.failed', 'verification.confirmed'] });
    const second = await added({ url: ELSEWHERE, fullNumbers: true });
    await added({}, other);
    assert.match(secret, /^whsec_[A-Za-z0-9+/]{43}=$/);
    assert.notEqual(secret, second.secret);
    const shown = await listWebhooks(store, acme, NOW);
    const unused = { failingSince: null, lastSuccessAt: null, lastFailure: null, disabled: null };
    const rest = { createdAt: NOW, previousUntil: null, ...unused };
    assert.deepEqual(shown, [
      { id, url: URL, types: ['verification.confirmed', 'delivery.failed'], fullNumbers: false, ...rest },
      { id: second.id, url: ELSEWHERE, types: [], fullNumbers: true, ...rest },
    ]);
    const rows = JSON.stringify(await query(store, 'SELECT * FROM webhook'));
    for (const each of [secret, second.secret]) assert.ok(!rows.includes(each), 'sealed');

    assert.deepEqual(await change(id, { types: [] }), { kind: 'changed' });
    assert.deepEqual(await findWebhook(store, acme, id, NOW), { ...shown[0], types: [] });
    assert.deepEqual(await change(id, { url: ELSEWHERE }), { kind: 'changed' });
    assert.equal((await findWebhook(store, acme, id, NOW))?.url, ELSEWHERE);
    assert.equal(await removeWebhook(store, of(id)), true);
    assert.equal(await removeWebhook(store, of(id)), false);
    assert.deepEqual(await change(id, { types: [] }), { kind: 'unknown' });
    assert.equal((await listWebhooks(store, acme, NOW)).length, 1);
    const log = await audited(acme);
    assert.deepEqual(log, [
      ['Ada', 'webhook.added', id, 'address; verification.confirmed, delivery.failed; masked numbers'],
      ['Ada', 'webhook.added', second.id, 'address; all events; full numbers'],
      ['Ada', 'webhook.changed', id, 'all events'],
      ['Ada', 'webhook.changed', id, 'address'],
      ['Ada', 'webhook.removed', id, ''],
    ]);
    assert.ok(!JSON.stringify(log).includes('precious'));
  });

  test('are refused an address that is no place for them, by name', async () => {
    const { store, acme } = rig;
    const { id } = await added();
    for (const url of [
      '',
      'ftp://example.com/',
      'http://example.com/',
      'https://10.0.0.1/',
      'https://[::1]/',
    ]) {
      for (const answer of [await add({ url }), await change(id, { url })]) {
        assert.ok(answer.kind === 'wrong' && answer.error.field === 'url', url);
      }
    }
    assert.deepEqual(
      (await listWebhooks(store, acme, NOW)).map(({ url }) => url),
      [URL],
    );
  });

  test('of another account are unknown, whatever is done', async () => {
    const { store, acme, other } = rig;
    const { id } = await added();
    const message = (await testWebhook(store, of(id))) ?? '';
    await query(store, 'UPDATE webhook_message SET due_at = NULL WHERE id = $1', message);
    const before = await query(store, 'SELECT * FROM webhook');
    const log = await audited(acme);
    const theirs = of(id, other);
    const deps = { records: store, keyring };
    assert.equal(await findWebhook(store, other, id, NOW), undefined);
    assert.deepEqual(await change(id, { accountId: other, url: ELSEWHERE, mayGiveNumbers: true }), {
      kind: 'unknown',
    });
    assert.equal(await rotateWebhookSecret(deps, theirs), undefined);
    assert.deepEqual(await revealWebhookSecret(deps, theirs), { kind: 'unknown' });
    assert.equal(await disableWebhook(store, theirs, 'by-hand'), false);
    assert.equal(await enableWebhook(store, theirs), false);
    assert.equal(await removeWebhook(store, theirs), false);
    assert.equal(await testWebhook(store, theirs), undefined);
    assert.equal(await replayMessage(store, { ...theirs, message }), false);
    const span = { since: 0, until: NOW + HOUR, alsoTaken: true };
    assert.equal(await replayMessages(store, { ...theirs, ...span }), undefined);
    assert.deepEqual((await recentMessages(store, other, id)).messages, []);
    assert.equal(await findMessage(store, other, id, message), undefined);
    assert.deepEqual(await query(store, 'SELECT * FROM webhook'), before);
    assert.equal((await findMessage(store, acme, id, message))?.state, 'given-up');
    assert.deepEqual([await audited(acme), await audited(other)], [log, []]);
    assert.equal(await findAccountOfWebhook(store, id), acme);
    assert.equal(await findAccountOfWebhook(store, 'whk_none'), undefined);
    assert.ok(await disableWebhook(store, of(id), 'by-hand'));
    assert.equal(await enableWebhook(store, theirs), false, 'nor one that is disabled');
    assert.notEqual((await findWebhook(store, acme, id, NOW))?.disabled, null);
  });

  test('are at most so many of an account, however many are added at once', async () => {
    const { store, acme, other } = rig;
    const second = await rig.second();
    const answers = await Promise.all(
      Array.from({ length: 5 * MAX_WEBHOOKS }, (_, i) => add({}, acme, i % 2 === 0 ? store : second)),
    );
    assert.equal(answers.filter(({ kind }) => kind === 'added').length, MAX_WEBHOOKS);
    assert.ok(answers.every(({ kind }) => kind === 'added' || kind === 'too-many'));
    assert.equal((await listWebhooks(store, acme, NOW)).length, MAX_WEBHOOKS);
    assert.equal((await audited(acme)).length, MAX_WEBHOOKS);
    await added({}, other);
  });

  test('get full numbers, and get them elsewhere, only by who may decide that', async () => {
    const { store, acme } = rig;
    const { id } = await added();
    const numbers = { kind: 'numbers' };
    assert.deepEqual(await change(id, { fullNumbers: true }), numbers);
    assert.deepEqual(await change(id, { fullNumbers: true, mayGiveNumbers: true }), { kind: 'changed' });
    assert.deepEqual(await change(id, { url: ELSEWHERE }), numbers);
    assert.deepEqual(await change(id, { url: ELSEWHERE, fullNumbers: true }), numbers);
    assert.equal((await findWebhook(store, acme, id, NOW))?.url, URL);
    assert.deepEqual(await change(id, { types: ['delivery.failed'], url: URL }), { kind: 'changed' });
    assert.deepEqual(await change(id, { url: ELSEWHERE, fullNumbers: false }), { kind: 'changed' });
    const found = await findWebhook(store, acme, id, NOW);
    assert.deepEqual([found?.url, found?.fullNumbers], [ELSEWHERE, false]);
    assert.equal((await audited(acme)).length, 4, 'what was refused is not in it');
  });

  test('that get full numbers are enabled again, and give their secret, only to who may decide that', async () => {
    const { store, acme } = rig;
    const { id, secret } = await added({ fullNumbers: true });
    const deps = { records: store, keyring };
    const mine = { ...of(id), mayGiveNumbers: true };
    await disableWebhook(store, of(id), 'by-hand');
    assert.equal(await enableWebhook(store, of(id)), false);
    assert.equal(await rotateWebhookSecret(deps, of(id)), undefined);
    assert.deepEqual(await revealWebhookSecret(deps, of(id)), { kind: 'unknown' });
    assert.deepEqual(await revealWebhookSecret(deps, mine), { kind: 'revealed', secret });
    assert.equal(await enableWebhook(store, mine), true);
    assert.match((await rotateWebhookSecret(deps, mine)) ?? '', /^whsec_/);
    assert.equal((await audited(acme)).length, 5, 'what was refused is not in it');
  });

  test('do not get full numbers elsewhere by a change at the same moment', async () => {
    const { store, acme } = rig;
    const second = await rig.second();
    const { id } = await added();
    for (let round = 0; round < 100; round++) {
      await change(id, { url: URL, fullNumbers: false });
      const [first, then] = round % 2 === 0 ? [store, second] : [second, store];
      const [given, moved] = await Promise.all([
        // As long as it is at this address: who gives the numbers names it.
        change(id, { url: URL, fullNumbers: true, mayGiveNumbers: true }, first),
        change(id, { url: ELSEWHERE }, then),
      ]);
      const found = await findWebhook(store, acme, id, NOW);
      assert.deepEqual(
        [given.kind, found?.url, found?.fullNumbers],
        ['changed', URL, true],
        `round ${round}: ${moved.kind}`,
      );
    }
  });

  test('begin anew at another address, however much waits, and only those', async () => {
    const { store, acme, other } = rig;
    const [{ id }, stays, theirs] = [await added(), await added(), await added({}, other)];
    const failed = `UPDATE webhook SET failing_since = $1, last_success_at = $1, last_failure_at = $1, last_failure = 'HTTP 500'`;
    await query(store, failed, NOW - HOUR);
    const waiting = `INSERT INTO webhook_message (id, webhook_id, type, at, due_at, tries, last_try_at, failures)
      VALUES ($1, $2, 'webhook.test', $3, $4, 4, $5, '')`;
    const write = (message: string, webhook: string, dueAt: number | null, triedAt: number): Step => ({
      sql: waiting,
      args: [message, webhook, NOW - HOUR, dueAt, triedAt],
    });
    // More than one transaction does.
    const many = Array.from({ length: 1_200 }, (_, i) => write(`msg_${i}`, id, NOW + HOUR, NOW - HOUR));
    await store.transact([
      ...many,
      write('msg_given-up', id, null, NOW - HOUR),
      write('msg_tried-there', id, NOW + HOUR, NOW + 1),
      ...[stays.id, theirs.id].map((each) => write(`msg_of_${each}`, each, NOW + HOUR, NOW - HOUR)),
    ]);
    const before = await listWebhooks(store, acme, NOW);
    const still = 'SELECT count(*) AS n FROM webhook_message WHERE due_at = $1 AND tries = 4';
    const left = async () => Number((await query(store, still, NOW + HOUR))[0]?.n);
    assert.deepEqual(await change(id, { types: [], url: URL }), { kind: 'changed' });
    assert.deepEqual(await change(id, { accountId: other, url: ELSEWHERE }), { kind: 'unknown' });
    assert.deepEqual(await listWebhooks(store, acme, NOW), before, 'the same address is none anew');
    assert.equal(await left(), many.length + 3);

    assert.deepEqual(await change(id, { url: ELSEWHERE }), { kind: 'changed' });
    const unused = { failingSince: null, lastSuccessAt: null, lastFailure: null };
    assert.deepEqual(await findWebhook(store, acme, id, NOW), { ...before[0], url: ELSEWHERE, ...unused });
    assert.deepEqual(await findWebhook(store, acme, stays.id, NOW), before[1]);
    assert.equal(await left(), 3);
    const due =
      'SELECT count(*) AS n FROM webhook_message WHERE due_at = 0 AND tries = 0 AND failures IS NULL';
    assert.equal(Number((await query(store, due))[0]?.n), many.length);
    assert.equal((await findMessage(store, acme, id, 'msg_given-up'))?.state, 'given-up');
  });

  test('are disabled for what they answered only under the fence of then', async () => {
    const { store, acme } = rig;
    const { id } = await added();
    await change(id, { url: ELSEWHERE });
    assert.equal(await disableWebhook(store, of(id), 'gone', 0), false);
    assert.equal((await findWebhook(store, acme, id, NOW))?.disabled, null);
    assert.equal(await disableWebhook(store, of(id), 'gone', 1), true);
  });

  test('are disabled and enabled once', async () => {
    const { store, acme } = rig;
    const { id } = await added();
    assert.equal(await enableWebhook(store, of(id)), false);
    assert.equal(await disableWebhook(store, of(id), 'by-hand'), true);
    assert.equal(await disableWebhook(store, of(id), 'failing'), false);
    assert.deepEqual((await findWebhook(store, acme, id, NOW))?.disabled, { at: NOW, why: 'by-hand' });
    assert.equal(await testWebhook(store, of(id)), undefined);
    assert.equal(
      await replayMessages(store, { ...of(id), since: 0, until: NOW, alsoTaken: true }),
      undefined,
    );
    assert.equal(await enableWebhook(store, of(id)), true);
    assert.equal((await findWebhook(store, acme, id, NOW))?.disabled, null);
    assert.deepEqual((await audited(acme)).map(([, action, , detail]) => [action, detail]).slice(1), [
      ['webhook.disabled', 'by hand'],
      ['webhook.enabled', ''],
    ]);
  });
}
