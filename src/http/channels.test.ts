/** Channels that not every service offers: closed, until a route serves them. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Channel, offeredBy } from '../core/destination/channel.ts';
import { createFixture, NUMBER } from './fixture.ts';

const EVERY: readonly Channel[] = ['sms', 'voice', 'whatsapp', 'telegram', 'rcs', 'flashcall'];
const errorsOf = ({ json }: { readonly json: Record<string, unknown> }) => json.errors;
const notAllowed = (offered: string) => ({
  field: 'channel',
  code: 'not_allowed_value',
  detail: `must be one of ${offered}`,
});

describe('channels that not every service offers', () => {
  it('are refused like any other word, beside what else is wrong', async (t) => {
    const { post, requests } = await createFixture(t);
    for (const channel of ['whatsapp', 'telegram', 'rcs', 'flashcall', 'fax']) {
      const answer = await post('/verify', { destination: NUMBER, channel });
      assert.equal(answer.status, 400);
      assert.deepEqual(errorsOf(answer), [notAllowed('sms,voice')]);
      const worse = await post('/verify', { channel });
      assert.deepEqual(errorsOf(worse), [
        { field: 'destination', code: 'missing', detail: 'is required' },
        notAllowed('sms,voice'),
      ]);
    }
    assert.deepEqual(requests, []);
  });

  it('are taken where a route serves them, and no other', async (t) => {
    const { post, requests } = await createFixture(t, { channels: ['sms', 'voice', 'whatsapp'] });
    const taken = await post('/verify', { destination: NUMBER, channel: 'whatsapp' });
    assert.deepEqual([taken.status, taken.json.channel], [200, 'whatsapp']);
    const other = await post('/verify', { destination: NUMBER, channel: 'telegram' });
    assert.deepEqual(errorsOf(other), [notAllowed('sms,voice,whatsapp')]);
    const incomplete = await post('/verify', { channel: 'whatsapp' });
    assert.deepEqual(errorsOf(incomplete), [
      { field: 'destination', code: 'missing', detail: 'is required' },
    ]);
    assert.deepEqual(
      requests.map(({ channel }) => channel),
      ['whatsapp'],
    );
  });

  it('are left to the verifier under an Idempotency-Key, which may have been used while a route served them', async (t) => {
    const { post, requests } = await createFixture(t);
    const headers = { 'idempotency-key': 'k' };
    const ask = (body: object) => post('/verify', body, headers);
    await ask({ destination: NUMBER, channel: 'whatsapp' });
    assert.deepEqual(
      requests.splice(0).map(({ channel, idempotencyKey }) => [channel, idempotencyKey]),
      [['whatsapp', 'k']],
    );
    assert.deepEqual(errorsOf(await ask({ destination: NUMBER, channel: 'fax' })), [notAllowed('sms,voice')]);
    assert.deepEqual(errorsOf(await ask({ channel: 'whatsapp' })), [
      { field: 'destination', code: 'missing', detail: 'is required' },
      notAllowed('sms,voice'),
    ]);
    assert.deepEqual(requests, []);
  });

  it('are in the document and on its page while they are offered', async (t) => {
    let channels: readonly Channel[] = ['sms', 'voice'];
    const { app } = await createFixture(t, {
      get channels() {
        return channels;
      },
    });
    // Its navigation leads to the guides, which say how channels are set up.
    const read = async (path: string) => (await app.inject(path)).body.replace(/<nav.*<\/nav>/s, '');
    const closed = [await read('/openapi.json'), await read('/docs')];
    for (const text of closed) assert.doesNotMatch(text, /whatsapp|telegram|\brcs\b|flashcall/i);
    channels = EVERY;
    const open = [await read('/openapi.json'), await read('/docs')];
    for (const text of open) assert.match(text, /telegram.*rcs.*flashcall/s);
    channels = ['sms', 'voice'];
    assert.deepEqual([await read('/openapi.json'), await read('/docs')], closed);
  });

  it('are what routes serve, in the order of the table', () => {
    assert.deepEqual(offeredBy([]), ['sms', 'voice']);
    assert.deepEqual(offeredBy(['telegram', 'sms', 'telegram']), ['sms', 'voice', 'telegram']);
    assert.deepEqual(offeredBy(['flashcall', 'rcs', 'telegram', 'whatsapp']), EVERY);
  });
});
