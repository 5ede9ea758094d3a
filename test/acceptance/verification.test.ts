/** GET /verifications/{id}: a verification from its request to its end, with a carrier that does as the test says. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { suite, test } from 'node:test';
import { openTwilio, PUBLIC_URL, report } from '../carriers/twilio-stand-in.ts';
import type { Service } from '../service.ts';
import { type Answer, eventually, freshNumber, problemOf, type RequestOptions } from './client.ts';
import { isOwnService, onTwoNodes, startTarget } from './target.ts';

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/** What the account's own app sees of one of its verifications. */
async function look({ client }: Service, id: string, options?: RequestOptions): Promise<Answer> {
  const answer = await client.get(`/verifications/${id}`, options);
  assert.equal(answer.status, 200, answer.text);
  return answer;
}

/** Looks again until the status is the one that is waited for. */
async function reaches(service: Service, id: string, wanted: string, options?: RequestOptions) {
  let seen: Answer | undefined;
  const found = await eventually(async () => {
    seen = await look(service, id, options);
    return seen.json.status === wanted ? seen : undefined;
  });
  assert.ok(found, `${wanted} was not reached: ${seen?.text}`);
  return found.json;
}

suite('what became of a verification', { skip: !isOwnService }, () => {
  test('is told from the request to the end, and to nobody else', async () => {
    const release = Promise.withResolvers<void>();
    await using twilio = await openTwilio(() => release.promise);
    await using service = await startTarget({
      config: {
        publicUrl: PUBLIC_URL,
        carriers: { twilio: twilio.carrier },
        routes: [{ channel: 'sms', carriers: ['twilio'] }],
      },
    });
    const request = async (destination: string, options?: RequestOptions) => {
      const { json, status, text } = await service.client.verify(destination, 'sms', options);
      assert.equal(status, 200, text);
      return json.id ?? '';
    };

    const destination = freshNumber();
    const id = await request(destination);
    const queued = (await look(service, id)).json;
    const { created_at = '', expires_at = '', ...rest } = queued;
    assert.deepEqual(rest, {
      ...{ id, destination, channel: 'sms', status: 'queued', guesses_left: 5, attempts: [] },
    });
    assert.match(created_at, TIME);
    assert.equal(Date.parse(expires_at) - Date.parse(created_at), 600_000);

    release.resolve();
    const [submitted] = (await reaches(service, id, 'submitted')).attempts ?? [];
    assert.deepEqual([submitted?.channel, submitted?.state], ['sms', 'submitted']);
    const [sent] = twilio.sent;
    assert.ok(sent);
    assert.equal(await report(service, { MessageSid: sent.sid, MessageStatus: 'delivered' }), 204);
    const delivered = await reaches(service, id, 'delivered');
    assert.equal(delivered.attempts?.[0]?.state, 'delivered');
    for (const time of [delivered.attempts[0].started_at, delivered.attempts[0].changed_at]) {
      assert.match(time ?? '', TIME);
    }

    const another = { key: await service.createKey('another') };
    const seen = (await look(service, id, another)).json.destination ?? '';
    assert.match(seen, /^\+49•+\d\d$/, 'another key asked for it');
    assert.equal(seen.slice(-2), destination.slice(-2));

    const code = /\d{6}/.exec(sent.form.get('Body') ?? '')?.[0] ?? '';
    await service.client.confirm(id, code.startsWith('0') ? `1${code.slice(1)}` : `0${code.slice(1)}`);
    assert.equal((await look(service, id)).json.guesses_left, 4);
    const { confirmed_at } = (await service.client.confirm(id, code)).json;
    const last = await look(service, id);
    assert.deepEqual([last.json.status, last.json.confirmed_at], ['confirmed', confirmed_at]);
    for (const secret of [code, sent.sid, 'twilio']) assert.ok(!last.text.includes(secret), secret);

    const undelivered = await request(freshNumber());
    await reaches(service, undelivered, 'submitted');
    const fields = {
      MessageSid: twilio.sent[1]?.sid ?? '',
      MessageStatus: 'undelivered',
      ErrorCode: '30005',
    };
    assert.equal(await report(service, fields), 204);
    assert.equal((await reaches(service, undelivered, 'undelivered')).attempts?.[0]?.state, 'undelivered');

    // Whoever has the code learns whose it was.
    const own = await request(freshNumber());
    const { destination: theirs } = (await look(service, own)).json;
    await reaches(service, own, 'submitted');
    const typed = /\d{6}/.exec(twilio.sent[2]?.form.get('Body') ?? '')?.[0] ?? '';
    assert.equal((await service.client.confirm(own, typed, another)).json.destination, theirs);

    // The simulator refuses this one.
    const asTest = { key: await service.createKey('test', { test: true }) };
    const refused = await request('+15005550003', asTest);
    const failed = await reaches(service, refused, 'failed', asTest);
    assert.equal(failed.attempts?.[0]?.state, 'failed');

    const others = await service.createKey('other', { account: 'other' });
    const unseen: readonly (readonly [string, RequestOptions])[] = [
      [id, { key: others }],
      [id, asTest],
      [refused, {}],
      [`ver_${'0'.repeat(32)}`, {}],
      ['nonsense', {}],
      ["'%20OR%201=1", {}],
    ];
    for (const [wanted, options] of unseen) {
      const answer = await service.client.get(`/verifications/${wanted}`, options);
      assert.deepEqual([answer.status, problemOf(answer)], [404, 'verification-not-found'], wanted);
    }
    const nobody = await service.client.get(`/verifications/${id}`, { key: null });
    assert.deepEqual([nobody.status, problemOf(nobody)], [401, 'unauthenticated']);

    // The time is moved in the folder's own database.
    if (!onTwoNodes) {
      const old = await request(freshNumber());
      await reaches(service, old, 'submitted');
      expire(service, old);
      assert.equal((await look(service, old)).json.status, 'expired');
    }
  });
});

function expire({ dataDir }: Service, id: string): void {
  const database = new DatabaseSync(join(dataDir, 'countersign.db'), { timeout: 5_000 });
  database.prepare('UPDATE verification SET expires_at = created_at + 1 WHERE id = ?').run(id);
  database.close();
}
