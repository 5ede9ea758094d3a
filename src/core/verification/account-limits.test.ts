import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import fc from 'fast-check';
import { NO_SETTINGS } from '../accounts/account-settings.ts';
import { AccountLimits, findTighter } from './account-limits.ts';
import { type Limit, parseLimit } from './limits.ts';

const limits = (...texts: string[]): Limit[] =>
  texts.map((text) => parseLimit(text) ?? assert.fail(`${text} is no limit`));

suite('limits of accounts', () => {
  const service = {
    sendsPerDestination: limits('5/10m', '20/1d'),
    failedGuessesPerDestination: limits('50/1d'),
  };
  const raised = limits('30/10m');
  const of = new AccountLimits(service, {
    acc_big: { limits: { sendsPerDestination: raised } },
    acc_none: { limits: {} },
  });
  const settings = { ...NO_SETTINGS, sendsPerDestination: limits('2/1h') };

  test('an account has what the operator gives it in place of the service’s, and its own beside that', () => {
    assert.deepEqual(of.ceiling('acc_big', 'sendsPerDestination'), { limits: raised, isOwn: true });
    assert.deepEqual(of.apart('acc_big', 'sendsPerDestination', undefined), raised);
    assert.deepEqual(of.apart('acc_big', 'sendsPerDestination', settings), limits('30/10m', '2/1h'));
    assert.deepEqual(
      of.apart('acc_small', 'sendsPerDestination', settings),
      limits('5/10m', '20/1d', '2/1h'),
    );
  });

  test('what the operator leaves out is the service’s, for which a store takes calls of many accounts together', () => {
    for (const id of ['acc_small', 'acc_none', 'constructor']) {
      assert.equal(of.apart(id, 'sendsPerDestination', undefined), undefined, id);
      assert.equal(of.apart(id, 'sendsPerDestination', NO_SETTINGS), undefined, id);
    }
    assert.equal(of.apart('acc_big', 'failedGuessesPerDestination', settings), undefined);
    const { limits: held, isOwn } = of.ceiling('acc_big', 'failedGuessesPerDestination');
    assert.deepEqual([held, isOwn], [service.failedGuessesPerDestination, false]);
  });

  test('a limit is hidden by another only if it is never the one that refuses', () => {
    const one = fc.record({ max: fc.integer({ min: 1, max: 5 }), windowMs: fc.integer({ min: 1, max: 12 }) });
    fc.assert(
      fc.property(
        one,
        one,
        fc.array(fc.integer({ min: 0, max: 4 }), { maxLength: 60 }),
        (limit, ceiling, gaps) => {
          if (findTighter(limit, [ceiling]) === undefined) return;
          const sent: number[] = [];
          let now = 0;
          const has = ({ max, windowMs }: Limit) => sent.filter((at) => at > now - windowMs).length < max;
          for (const gap of gaps) {
            now += gap;
            if (!has(ceiling)) continue;
            assert.ok(has(limit));
            sent.push(now);
          }
        },
      ),
      { numRuns: 500 },
    );
  });

  test('what is as strict may be set, and what can refuse first', () => {
    const ceiling = limits('5/10m', '20/1d');
    for (const text of ['5/10m', '4/10m', '20/1d', '19/1d', '1/1s', '30/1h']) {
      assert.equal(findTighter(parseLimit(text) ?? assert.fail(), limits('5/10m')), undefined, text);
    }
    for (const text of ['6/10m', '50/10m', '6/1s', '31/1h', '21/12h']) {
      assert.ok(findTighter(parseLimit(text) ?? assert.fail(), ceiling), text);
    }
  });
});
