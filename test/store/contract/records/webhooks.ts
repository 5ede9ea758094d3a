/** The endpoints of webhooks and their messages, as people change them and look at them. */
import assert from 'node:assert/strict';
import { afterEach, beforeEach, suite, test } from 'node:test';
import { readAuditLog } from '../../../../src/accounts/audit.ts';
import { createKeys } from '../../../../src/accounts/keys.ts';
import {
  addWebhook,
  changeWebhook,
  disableWebhook,
  enableWebhook,
  findAccountOfWebhook,
  findWebhook,
  listWebhooks,
  removeWebhook,
  type WebhookChange,
  type WebhookWish,
} from '../../../../src/accounts/webhooks/endpoints.ts';
import {
  findMessage,
  type Replay,
  recentMessages,
  replayMessage,
  replayMessages,
  testWebhook,
} from '../../../../src/accounts/webhooks/messages.ts';
import {
  resealWebhooks,
  revealWebhookSecret,
  rotateWebhookSecret,
} from '../../../../src/accounts/webhooks/secrets.ts';
import { query, type Records, type Step } from '../../../../src/core/accounts/records.ts';
import { MAX_WEBHOOKS, OVERLAP_MS, openWebhookSecret } from '../../../../src/core/events/endpoint.ts';
import { failureLine } from '../../../../src/core/events/event.ts';
import { Keyring } from '../../../../src/core/secrets/keyring.ts';
import type { Store } from '../../../../src/store/port.ts';
import { HOUR, LAX, MINUTE, type OpenedStore, type OpenStore, unique } from '../rig.ts';

const [FIRST, SECOND, THIRD] = ['first', 'second', 'third'].map((word) =>
  `${word} secret`.padEnd(32, '.'),
) as [string, string, string];
const NOW = 1_000_000_000_000;
const ADA = { name: 'Ada', address: '192.0.2.1' };
const URL = 'https://example.com/hooks?token=precious';
const FAILURES = [
  { at: NOW, answer: 'no answer within 15 s' },
  { at: NOW + 5, answer: 'HTTP 500' },
];
const ELSEWHERE = 'https://thief.example/';

export function describeWebhooks(open: OpenStore): void {
  suite('endpoints of webhooks', () => {
    let opened: OpenedStore;
    let store: Store;
    let acme: string;
    let other: string;
    const keyring = new Keyring(FIRST);

    beforeEach(async () => {
      opened = await open(LAX);
      store = opened.store;
      acme = await addAccount('Acme');
      other = await addAccount('Other');
    });
    afterEach(() => opened.dispose());

    async function addAccount(name: string): Promise<string> {
      const [id, prefix, hash] = [unique('key'), unique('csk_live'), unique('hash')];
      const key = { id, prefix, hash, name: 'web', test: false, createdAt: 1 };
      return (await createKeys(store).createKey(name, key, ADA)).accountId;
    }
    const depsOf = (records: Store) => ({ records, keyring, privateNetworks: [] });
    const add = (wanted: Partial<WebhookWish> = {}, accountId = acme, records = store) =>
      addWebhook(depsOf(records), {
        ...{ accountId, by: ADA, now: NOW, url: URL, types: [], fullNumbers: false, ...wanted },
      });
    async function added(wanted: Partial<WebhookWish> = {}, accountId = acme) {
      const answer = await add(wanted, accountId);
      assert.ok(answer.kind === 'added', answer.kind);
      return answer;
    }
    const of = (id: string, accountId = acme) => ({ accountId, id, by: ADA, now: NOW });
    const change = (id: string, wanted: Partial<WebhookChange>, records = store) =>
      changeWebhook(depsOf(records), { ...of(id), mayGiveNumbers: false, ...wanted });
    const audited = async (accountId: string) =>
      (await readAuditLog(store, accountId)).entries
        .filter(({ action }) => action.startsWith('webhook.'))
        .map(({ who, action, subject, detail }) => [who, action, subject, detail])
        .reverse();

    test('are added, shown, changed and removed, and the audit log says so without their address', async () => {
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
    });

    test('are at most so many of an account, however many are added at once', async () => {
      const second = (await opened.second?.()) ?? store;
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

    test('do not get full numbers elsewhere by a change at the same moment', async () => {
      const second = (await opened.second?.()) ?? store;
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

    test('sign with a new secret after a rotation, and for a day with the one before', async () => {
      const { id, secret } = await added();
      const deps = { records: store, keyring };
      const next = await rotateWebhookSecret(deps, of(id));
      assert.match(next ?? '', /^whsec_/);
      assert.notEqual(next, secret);
      const until = NOW + OVERLAP_MS;
      assert.equal((await findWebhook(store, acme, id, until - 1))?.previousUntil, until);
      assert.equal((await findWebhook(store, acme, id, until))?.previousUntil, null);
      const [row] = await query(store, 'SELECT * FROM webhook WHERE id = $1', id);
      const openSealed = (text: unknown) => openWebhookSecret(keyring, id, String(text));
      assert.deepEqual(
        [openSealed(row?.previous_secret_sealed), openSealed(row?.secret_sealed)],
        [secret, next],
      );
      assert.deepEqual(await revealWebhookSecret(deps, of(id)), { kind: 'revealed', secret: next });
      assert.deepEqual(
        (await audited(acme)).map(([, action]) => action),
        ['webhook.added', 'webhook.secret-rotated', 'webhook.secret-revealed'],
      );
      assert.ok(!JSON.stringify(await audited(acme)).includes('whsec_'));
    });

    test('keep their secrets when that of the service rotates', async () => {
      const { id, secret } = await added();
      const next = await rotateWebhookSecret({ records: store, keyring }, of(id));
      const rotated = new Keyring(SECOND, FIRST);
      assert.deepEqual(await resealWebhooks(store, rotated), { sealed: 2, lost: 0 });
      assert.deepEqual(await resealWebhooks(store, rotated), { sealed: 0, lost: 0 });
      const only = new Keyring(SECOND);
      assert.deepEqual(await revealWebhookSecret({ records: store, keyring: only }, of(id)), {
        kind: 'revealed',
        secret: next,
      });
      const [row] = await query(store, 'SELECT previous_secret_sealed AS sealed FROM webhook');
      assert.equal(openWebhookSecret(only, id, String(row?.sealed)), secret);
      const third = new Keyring(THIRD);
      assert.deepEqual(await resealWebhooks(store, third), { sealed: 0, lost: 2 });
      assert.deepEqual(await revealWebhookSecret({ records: store, keyring: third }, of(id)), {
        kind: 'lost',
      });
    });

    test('keep the secret that a rotation gives them while they are sealed again', async () => {
      const { id } = await added();
      const rotated = new Keyring(SECOND, FIRST);
      let next: string | undefined;
      // Between the look and the write.
      const overtaken: Records = {
        async transact(steps, announce) {
          const answer = await store.transact(steps, announce);
          next ??= await rotateWebhookSecret({ records: store, keyring: rotated }, of(id));
          return answer;
        },
        keysRevision: () => store.keysRevision(),
      };
      await resealWebhooks(overtaken, rotated);
      const revealed = await revealWebhookSecret({ records: store, keyring: rotated }, of(id));
      assert.deepEqual(revealed, { kind: 'revealed', secret: next });
    });

    test('are disabled and enabled once', async () => {
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
      for (let first = 0; first < count; first += 200) await store.transact(steps.slice(first, first + 200));
      return ids;
    }

    test('have messages, which are shown a page at a time, newest first', async () => {
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
        ...{ id: ids[0], type: 'delivery.accepted', verificationId: 'ver_1', carrier: 'smsc', reason: null },
        ...{ at: NOW, state: 'given-up', tries: 2, nextTryAt: null, lastTryAt: NOW, lastAnswer: 'HTTP 500' },
        ...{ failures: FAILURES, sentAt: null },
      });
    });

    test('are tried out with a message of their own', async () => {
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
      (await findMessage(store, acme, webhookId, id))?.state;

    test('get one message again, unless it is waiting', async () => {
      const { id } = await added();
      const [given = '', taken = '', waiting = ''] = await write(id, 3);
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
        await replayMessage(store, { ...of(second.id), message: given }),
        false,
        'of another endpoint',
      );
      assert.deepEqual(
        (await audited(acme))
          .filter(([, action]) => action === 'webhook.replayed')
          .map(([, , , what]) => what),
        [given, taken],
      );
    });

    test('get the messages of a time span again: what was given up, or what they took, too', async () => {
      const { id } = await added();
      const ids = await write(id, 12);
      const replay = (wanted: Partial<Replay>) =>
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
      const second = (await opened.second?.()) ?? store;
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
  });
}
