import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { StoreUnavailable } from '../../core/errors/store-failure.ts';
import type { FeedbackAnswer } from '../../core/verification/feedback.ts';
import { createFixture, KEY } from '../fixture.ts';

const LIMITED = {
  kind: 'limited',
  scope: 'key',
  retryAfterMs: 1_500,
  limit: { max: 1, windowMs: 60_000 },
} as const;

describe('POST /verifications/{id}/feedback', () => {
  const say = async (
    t: TestContext,
    body: object,
    answer: FeedbackAnswer | Error = { kind: 'given', id: 'ver_1' },
    key = KEY,
  ) => {
    const said: unknown[] = [];
    const giveFeedback = async (caller: { accountId: string }, id: string, verdict: unknown) => {
      said.push([caller.accountId, id, verdict]);
      if (answer instanceof Error) throw answer;
      return answer;
    };
    const { post } = await createFixture(t, {}, { giveFeedback });
    const authorization = `Bearer ${key}`;
    return { said, reply: await post('/verifications/ver_1/feedback', body, { authorization }) };
  };

  it('passes a verdict on, or that it is taken back, and repeats it', async (t) => {
    for (const verdict of ['fraud', 'good', null]) {
      const { reply, said } = await say(t, { verdict });
      assert.deepEqual([reply.status, reply.json], [200, { id: 'ver_1', verdict }]);
      assert.deepEqual(said, [['acc_1', 'ver_1', verdict]]);
    }
  });

  it('names the field and what is expected', async (t) => {
    for (const body of [{}, { verdict: 'bad' }, { verdict: '' }, { verdict: ['fraud'] }]) {
      const { reply, said } = await say(t, body);
      assert.equal(reply.status, 400);
      assert.match(reply.text, /"field":"verdict"/);
      assert.deepEqual(said, []);
    }
    assert.match((await say(t, { verdict: 'bad' })).reply.text, /must be one of fraud,good/);
  });

  it('answers 404, 401, 429 and 503', async (t) => {
    const body = { verdict: 'good' };
    const unknown = (await say(t, body, { kind: 'unknown' })).reply;
    assert.deepEqual([unknown.status, unknown.json.type], [404, '/problems/verification-not-found']);
    const stranger = await say(t, body, undefined, 'another');
    assert.deepEqual([stranger.reply.status, stranger.said], [401, []]);
    const limited = (await say(t, body, LIMITED)).reply;
    assert.deepEqual([limited.status, limited.headers['retry-after']], [429, '2']);
    const limit = { max: 1_000, windowMs: 86_400_000 };
    const most = (await say(t, body, { ...LIMITED, scope: 'account', limit, retryAfterMs: 60_000 })).reply;
    assert.deepEqual([most.status, most.json.type], [429, '/problems/rate-limited']);
    assert.deepEqual(
      [most.headers['retry-after'], most.headers['ratelimit-policy']],
      ['60', '"account-1d";q=1000;w=86400'],
    );
    assert.equal((await say(t, body, new StoreUnavailable('away'))).reply.status, 503);
  });
});
