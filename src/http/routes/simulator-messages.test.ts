import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { SYSTEM_CLOCK } from '../../core/seams/clock.ts';
import { Keyring } from '../../core/secrets/keyring.ts';
import type { Caller } from '../../core/verification/request.ts';
import { createFixture, KEY, NUMBER } from '../fixture.ts';
import { createMessageReader } from './simulator-messages.ts';

const headers = { authorization: `Bearer ${KEY}` };

describe('GET /simulator/messages', () => {
  it('answers the account’s messages as they come, for one destination or all', async (t) => {
    const asked: [Caller, string | undefined][] = [];
    const message = {
      id: 'ver_1',
      destination: NUMBER,
      channel: 'sms',
      text: '1 is your code',
      code: '1',
      at: 0,
    } as const;
    const { app } = await createFixture(
      t,
      {},
      {
        messages: async (caller, destination) => {
          asked.push([caller, destination]);
          return { ok: true, messages: [{ ...message, sealed: 'never shown' }, message] };
        },
      },
    );
    const answer = await app.inject({ url: '/simulator/messages?destination=%2B12025550123', headers });
    assert.equal(answer.statusCode, 200);
    const expected = { ...message, at: '1970-01-01T00:00:00.000Z' };
    assert.deepEqual(answer.json(), [expected, expected]);
    await app.inject({ url: '/simulator/messages', headers });
    const caller = { keyId: 'key_1', accountId: 'acc_1', test: false };
    assert.deepEqual(asked, [
      [caller, NUMBER],
      [caller, undefined],
    ]);
  });

  it('names the field of an invalid destination, and never repeats its value', async (t) => {
    const { app, log } = await createFixture(
      t,
      {},
      { messages: async () => ({ ok: false, code: 'not_e164', detail: 'is no number' }) },
    );
    for (const query of [
      'destination=2025550123x',
      'destination=',
      'destination=2025550123&destination=2025550123',
    ]) {
      const answer = await app.inject({ url: `/simulator/messages?${query}`, headers });
      assert.equal(answer.statusCode, 400, query);
      assert.equal(answer.json().errors[0].field, 'destination');
      assert.ok(!answer.body.includes('2025550123'));
    }
    assert.ok(!JSON.stringify(log).includes('2025550123'));
  });

  it('says that a plus sign is not escaped, and only where one is missing', async () => {
    const read = createMessageReader({
      inbox: { list: async () => [] },
      keyring: new Keyring('a secret for these tests only, yes'),
      open: () => assert.fail('there are no messages'),
      isSuccessor: async () => false,
      clock: SYSTEM_CLOCK,
    });
    const caller = { keyId: 'key_1', accountId: 'acc_1', test: true };
    const reasonOf = async (destination: string) => {
      const found = await read(caller, destination);
      return found.ok ? 'ok' : found.code;
    };
    for (const lost of [' 14155550123', ' 1 415 555 0123', 'tel: 14155550123;ext=12', 'TEL: 14155550123']) {
      assert.equal(await reasonOf(lost), 'unescaped_plus', lost);
    }
    for (const kept of ['+14155550123', ' +1 415 555 0123']) assert.equal(await reasonOf(kept), 'ok', kept);
    for (const wrong of ['14155550123', ' nobody', '  '])
      assert.equal(await reasonOf(wrong), 'not_e164', wrong);
    assert.equal(await reasonOf('+11115550123'), 'invalid_number');
  });
});
