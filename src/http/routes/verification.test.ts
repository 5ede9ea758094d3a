import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { StoreUnavailable } from '../../core/errors/store-failure.ts';
import type { InquiryAnswer } from '../../core/verification/reading/inquiry.ts';
import { createFixture, KEY, NUMBER } from '../fixture.ts';

const AT = Date.UTC(2026, 0, 2);
const FOUND: InquiryAnswer = {
  ...{ kind: 'found', id: 'ver_1', destination: NUMBER, channel: 'sms', progress: 'submitted' },
  ...{ createdAt: AT, expiresAt: AT + 600_000, endedAt: null, confirmedAt: null, guessesLeft: 5 },
  attempts: [{ channel: 'sms', state: 'submitted', startedAt: AT + 1, changedAt: AT + 2 }],
};
const SHOWN = {
  ...{ id: 'ver_1', destination: NUMBER, channel: 'sms', status: 'submitted', guesses_left: 5 },
  ...{ created_at: '2026-01-02T00:00:00.000Z', expires_at: '2026-01-02T00:10:00.000Z' },
  attempts: [
    {
      ...{ channel: 'sms', state: 'submitted' },
      ...{ started_at: '2026-01-02T00:00:00.001Z', changed_at: '2026-01-02T00:00:00.002Z' },
    },
  ],
};

describe('GET /verifications/{id}', () => {
  const ask = async (t: TestContext, answer: InquiryAnswer | Error, id = 'ver_1', key = KEY) => {
    const asked: unknown[] = [];
    const { app } = await createFixture(
      t,
      {},
      {
        inquire: async (caller, wanted) => {
          asked.push([caller.accountId, wanted]);
          if (answer instanceof Error) throw answer;
          return answer;
        },
      },
    );
    const headers = { authorization: `Bearer ${key}` };
    return { asked, reply: await app.inject({ url: `/verifications/${id}`, headers }) };
  };

  it('answers what became of it', async (t) => {
    const { reply, asked } = await ask(t, FOUND);
    assert.deepEqual([reply.statusCode, reply.json()], [200, SHOWN]);
    assert.deepEqual(asked, [['acc_1', 'ver_1']]);
  });

  it('says when it was confirmed, and leaves out a destination that cannot be read', async (t) => {
    const confirmed = { ...FOUND, destination: undefined, progress: 'confirmed', confirmedAt: AT } as const;
    const { destination: _, ...rest } = SHOWN;
    assert.deepEqual((await ask(t, confirmed)).reply.json(), {
      ...rest,
      status: 'confirmed',
      confirmed_at: '2026-01-02T00:00:00.000Z',
    });
  });

  it('answers 404, 401, 400, 429 and 503', async (t) => {
    const unknown = (await ask(t, { kind: 'unknown' })).reply;
    assert.deepEqual([unknown.statusCode, unknown.json().type], [404, '/problems/verification-not-found']);

    const stranger = await ask(t, FOUND, 'ver_1', 'another');
    assert.deepEqual([stranger.reply.statusCode, stranger.asked], [401, []]);

    const long = await ask(t, FOUND, 'i'.repeat(65));
    assert.deepEqual([long.reply.statusCode, long.asked], [400, []]);
    assert.deepEqual(long.reply.json().errors, [
      { field: 'id', code: 'too_long', detail: 'must be at most 64 characters' },
    ]);

    const limit = { max: 3, windowMs: 1_000 };
    const limited = (await ask(t, { kind: 'limited', scope: 'key', limit, retryAfterMs: 700 })).reply;
    assert.deepEqual([limited.statusCode, limited.json().type], [429, '/problems/rate-limited']);
    assert.equal(limited.headers['retry-after'], '1');
    assert.equal(limited.headers['ratelimit-policy'], '"key-1s";q=3;w=1');

    const away = (await ask(t, new StoreUnavailable('full'))).reply;
    assert.deepEqual([away.statusCode, away.json().type], [503, '/problems/unavailable']);
  });

  it('is refused while the service is overloaded', async (t) => {
    const { app } = await createFixture(t, {}, { findNotReady: () => 'overloaded' });
    const headers = { authorization: `Bearer ${KEY}` };
    const reply = await app.inject({ url: '/verifications/ver_1', headers });
    assert.deepEqual([reply.statusCode, reply.json().type], [503, '/problems/overloaded']);
  });
});
