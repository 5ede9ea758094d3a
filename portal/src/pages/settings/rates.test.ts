import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readRate, whatIsWrong } from './rates.ts';

const CEILING = { limits: ['5/10m', '20/1d'], of: 'service' as const };

test('what is wrong with a limit is said in the words of its row', () => {
  assert.equal(
    whatIsWrong(readRate('99/1h'), 'no_effect', CEILING),
    '99 in 1 hour would have no effect, because 5 in 10 minutes holds already.',
  );
  assert.equal(
    whatIsWrong(readRate('25/1m'), 'no_effect', CEILING),
    '25 in 1 minute would have no effect, because 5 in 10 minutes holds already.',
  );
  assert.equal(
    whatIsWrong(readRate('1/2d'), 'not_a_limit', CEILING),
    'At most 1,000,000, in a period of at most 1 day.',
  );
});

test('a limit that nothing here is stricter than is left to the words of the server', () => {
  assert.equal(whatIsWrong(readRate('2/1h'), 'no_effect', CEILING), undefined);
});
