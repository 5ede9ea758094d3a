import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import fc from 'fast-check';
import Value from 'typebox/value';
import { type HttpOptions, httpOptions } from './options.ts';
import { createJudge } from './verdict.ts';

function optionsOf(written: Record<string, unknown>): HttpOptions {
  return Value.Decode(httpOptions, Value.Default(httpOptions, { type: 'http', url: 'http://h', ...written }));
}

function judge(written: Record<string, unknown>, status: number, body: unknown = {}, headers = {}) {
  return createJudge(optionsOf(written))({ status, headers, body: JSON.stringify(body) }, 0);
}

suite('verdict on an answer', () => {
  test('by default: 2xx accepted; 401, 408, 425, 429, 5xx temporary; the rest permanent', () => {
    for (let status = 100; status < 600; status++) {
      const expected =
        status >= 200 && status < 300
          ? 'accepted'
          : status >= 500 || [401, 408, 425, 429].includes(status)
            ? 'temporary'
            : 'permanent';
      assert.equal(judge({}, status).outcome.kind, expected, `${status}`);
    }
  });

  test('lists replace the defaults, and permanent takes precedence', () => {
    const lists = { accepted: [200, 409], temporary: ['400-403', '5xx'], permanent: ['503'] };
    const kinds = [200, 201, 409, 400, 403, 404, 500, 503].map((status) => judge(lists, status).outcome.kind);
    const [a, t, p] = ['accepted', 'temporary', 'permanent'];
    assert.deepEqual(kinds, [a, p, a, t, t, p, t, p]);
  });

  test('an accepted status is not enough if the body decides', () => {
    const rules = {
      acceptedWhen: { path: 'status', equals: ['0', 'queued'] },
      permanentWhen: { path: 'error.code', equals: [21] },
    };
    assert.equal(judge(rules, 200, { status: 0 }).outcome.kind, 'accepted');
    assert.equal(judge(rules, 200, { status: 'queued' }).outcome.kind, 'accepted');
    assert.equal(judge(rules, 200, { status: 'failed' }).outcome.kind, 'temporary');
    assert.equal(judge(rules, 200, { status: 'failed', error: { code: '21' } }).outcome.kind, 'permanent');
    assert.equal(judge(rules, 200, { status: ['0'] }).outcome.kind, 'temporary');
    assert.equal(judge(rules, 500, { status: 0 }).outcome.kind, 'temporary');
  });

  test('the reference is a string or a number, kept to its last digit', () => {
    const byId = createJudge(optionsOf({ reference: 'data.0.id' }));
    const answered = (body: string) => byId({ status: 200, headers: {}, body }, 0);
    assert.deepEqual(answered('{"data":[{"id":"a-1"}]}'), {
      outcome: { kind: 'accepted', reference: 'a-1' },
    });
    assert.deepEqual(answered('{"data":[{"id":12345678901234567890}]}'), {
      outcome: { kind: 'accepted', reference: '12345678901234567890' },
    });
    for (const id of ['null', '""', '{}', '[]', `"${'x'.repeat(256)}"`]) {
      const { outcome, complaint } = answered(`{"data":[{"id":${id}}]}`);
      assert.deepEqual(outcome, { kind: 'accepted' }, id);
      assert.equal(complaint?.level, 'warn');
    }
  });

  test('Retry-After is passed on, and only 429 counts as throttled', () => {
    const headers = { 'retry-after': '2' };
    assert.deepEqual(judge({}, 503, {}, headers).outcome, {
      kind: 'temporary',
      reason: 'HTTP 503',
      retryAfterMs: 2_000,
    });
    assert.deepEqual(judge({}, 429).outcome, { kind: 'temporary', reason: 'HTTP 429', throttled: true });
  });

  test('no part of a body shows in a reason or a complaint', () => {
    const rules = { reference: 'id', acceptedWhen: { path: 'status', equals: ['ok'] } };
    fc.assert(
      fc.property(fc.constantFrom(200, 302, 400, 401, 429, 500), fc.jsonValue(), (status, value) => {
        const plain = judge(rules, status, { status: 'x' });
        const { outcome, complaint } = judge(rules, status, {
          id: '+4915123456789',
          status: '482913',
          value,
        });
        assert.deepEqual({ outcome, complaint }, { outcome: plain.outcome, complaint: plain.complaint });
      }),
    );
  });

  test('options that cannot work are refused by name', () => {
    const refused: [Record<string, unknown>, RegExp][] = [
      [{ accepted: ['2xx', 500] }, /^Error: accepted: /],
      [{ accepted: ['200-599'] }, /^Error: accepted: /],
      [{ temporary: ['599-500'] }, /^Error: temporary: 599-500/],
      [{ permanentWhen: { path: 'a', equals: [1] } }, /^Error: permanentWhen: /],
    ];
    for (const [written, error] of refused) assert.throws(() => createJudge(optionsOf(written)), error);
  });
});
