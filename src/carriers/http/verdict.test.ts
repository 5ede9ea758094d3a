import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import fc from 'fast-check';
import Value from 'typebox/value';
import { OPERATORS_FAULT } from '../../core/sending/carrier.ts';
import { type HttpOptions, httpOptions } from './options.ts';
import { createJudge } from './verdict.ts';

function optionsOf(written: Record<string, unknown>): HttpOptions {
  return Value.Decode(httpOptions, Value.Default(httpOptions, { type: 'http', url: 'http://h', ...written }));
}

type Judge = ReturnType<typeof createJudge>;

/** With the default lists, which many statuses are held against. */
const byDefault = createJudge(optionsOf({}));

const judgeBy = (judge: Judge, status: number, body: unknown = {}, headers = {}) =>
  judge({ status, headers, body: JSON.stringify(body) }, 0);

function judge(written: Record<string, unknown>, status: number, body: unknown = {}, headers = {}) {
  return judgeBy(createJudge(optionsOf(written)), status, body, headers);
}

/** What is the same in every message: where it goes, by whom, in which form. */
function isOurs(status: number): boolean {
  return (status >= 300 && status < 400) || [401, 402, 403, 404, 405, 406, 407, 410, 415].includes(status);
}

suite('verdict on an answer', () => {
  test('by default: 2xx accepted; what is about us, the moment or the gateway temporary; the rest permanent', () => {
    for (let status = 100; status < 600; status++) {
      const expected =
        status >= 200 && status < 300
          ? 'accepted'
          : status >= 500 || [408, 425, 429].includes(status) || isOurs(status)
            ? 'temporary'
            : 'permanent';
      assert.equal(judgeBy(byDefault, status).outcome.kind, expected, `${status}`);
    }
  });

  test('credentials, credit, path, method and form are for the operator to put right, and the next carrier is tried', () => {
    for (let status = 100; status < 600; status++) {
      const { outcome, complaint } = judgeBy(byDefault, status);
      const isFault = 'reason' in outcome && outcome.reason.startsWith(`${OPERATORS_FAULT}HTTP ${status}`);
      assert.equal(isFault, isOurs(status), `${status}`);
      assert.equal(complaint?.level === 'error', isOurs(status), `${status}`);
    }
    assert.match(JSON.stringify(judge({}, 302)), /HTTP 302, a redirect; set url to the new address/);
  });

  test('what may be so for one number only does not count against the gateway', () => {
    const uncounted = Array.from({ length: 500 }, (_, i) => 100 + i).filter(
      (status) => 'uncounted' in judgeBy(byDefault, status).outcome,
    );
    assert.deepEqual(uncounted, [403, 404, 410]);
  });

  test('a refusal whose cause nobody can know is told as a warning', () => {
    for (const status of [400, 409, 422, 451]) {
      const { complaint } = judge({}, status);
      assert.equal(complaint?.level, 'warn');
      assert.match(complaint.message, new RegExp(`HTTP ${status}$`));
    }
  });

  test('what the lists say decides what becomes of a message, and whether a number is meant', () => {
    const permanent = ['403', '404', '410', '422'];
    for (const status of [403, 404, 410, 422]) {
      assert.deepEqual(judge({ permanent }, status), {
        outcome: { kind: 'permanent', reason: `HTTP ${status}` },
      });
    }
    // No number makes a gateway refuse our credentials, so the operator is told, whatever the list.
    for (const lists of [{ permanent: ['4xx'] }, { temporary: ['5xx'] }]) {
      const { outcome, complaint } = judge(lists, 401);
      assert.deepEqual(outcome, { kind: 'permanent', reason: `${OPERATORS_FAULT}HTTP 401` });
      assert.equal(complaint?.level, 'error');
    }
    assert.equal(judge({ temporary: ['422'] }, 422).outcome.kind, 'temporary');
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

  test('the gateway’s name of an error stands beside the status, and nothing that could be somebody’s', () => {
    const written = { reason: 'error.code', acceptedWhen: { path: 'status', equals: ['ok'] } };
    const reasonOf = (status: number, code: unknown) => {
      const { outcome } = judge(written, status, { status: 'failed', error: { code } });
      return 'reason' in outcome ? outcome.reason : undefined;
    };
    assert.equal(reasonOf(422, 'invalid_number'), 'HTTP 422: invalid_number');
    assert.equal(reasonOf(500, 30007), 'HTTP 500: 30007');
    assert.equal(reasonOf(200, 'E-12.4'), 'HTTP 200, refused in the answer: E-12.4');
    for (const code of [
      '482913',
      '415-555-0123',
      '660.123.45',
      4915112345678,
      '+4915112345678',
      'to 4711',
      '',
      'x'.repeat(65),
      {},
      null,
    ])
      assert.equal(reasonOf(422, code), 'HTTP 422', JSON.stringify(code));
    const { complaint } = judge(written, 401, { error: { code: 'bad_key' } });
    assert.match(complaint?.message ?? '', /HTTP 401: bad_key/);
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
