import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createFixture, KEY, NUMBER } from '../fixture.ts';
import { bearerToken } from './authentication.ts';

const BARE = 'Bearer';
const INVALID = 'Bearer error="invalid_token"';

const credentials: [string | undefined, string | undefined][] = [
  [undefined, BARE],
  ['', BARE],
  ['Basic dXNlcjpwYXNz', BARE],
  ['Bearerthe-key', BARE],
  ['the-key', BARE],
  ['Bearer', INVALID],
  ['Bearer ', INVALID],
  ['Bearer wrong', INVALID],
  ['Bearer the-key the-key', INVALID],
  ['Bearer dGhlLWtleQ==', INVALID],
  [`Bearer ${KEY}`, undefined],
  [`bearer ${KEY}`, undefined],
  [`BEARER   ${KEY}`, undefined],
];

describe('authentication', () => {
  for (const [authorization, challenge] of credentials) {
    it(`answers ${challenge ?? '200'} to ${authorization ?? 'no header'}`, async (t) => {
      const { app } = await createFixture(t);
      for (const [url, payload] of [
        ['/verify', { destination: NUMBER, channel: 'sms' }],
        ['/confirm', { id: 'ver_1', code: '1' }],
        ['/simulator/messages', undefined],
      ] as const) {
        const answer = await app.inject({
          method: payload ? 'POST' : 'GET',
          url,
          ...(payload && { payload }),
          headers: authorization === undefined ? {} : { authorization },
        });
        assert.equal(answer.statusCode, challenge === undefined ? 200 : 401);
        assert.equal(answer.headers['www-authenticate'], challenge);
        if (challenge === BARE) assert.equal(answer.json().type, '/problems/unauthenticated');
        if (challenge === INVALID) assert.equal(answer.json().type, '/problems/invalid-key');
      }
    });
  }

  it('keeps the token as it was sent', () => {
    assert.equal(bearerToken('bearer  aB+/='), 'aB+/=');
  });
});
