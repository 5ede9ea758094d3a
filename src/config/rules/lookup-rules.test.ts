import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findProblem, findProblems, loadText } from '../fixture.ts';

const telnyx = (more: string) => `lookups: { lines: { type: telnyx, apiKey: k, price: 0.005${more} } }`;

test('a look-up has a price, and is for countries that there are', () => {
  assert.deepEqual(findProblems(telnyx(', for: [DE, ZZ]')), []);
  assert.match(findProblem(telnyx(', for: [UK]')), /^lookups\.lines\.for\[0\]: UK is not a country .*GB/);
  assert.match(findProblem('lookups: { lines: { type: telnyx, apiKey: k } }'), /lines\.price: is missing/);
});

test('credentials are there, and may be in a file', () => {
  assert.match(findProblem('lookups: { lines: { type: telnyx, price: 0 } }'), /lines\.apiKey: is missing/);
  assert.match(
    findProblem('lookups: { lines: { type: telnyx, price: 0, apiKeyFile: /no/such } }'),
    /apiKeyFile: cannot be read/,
  );
});

for (const fact of ['swapped', 'ported']) {
  test(`what was ${fact} is read in one way`, () => {
    const both = `${fact}: { path: s }, ${fact}At: at`;
    assert.match(
      findProblem(`lookups: { one: { type: http, url: "https://h/{{to}}", price: 0, ${both} } }`),
      new RegExp(`one\\.${fact}At: is set together with ${fact}`),
    );
  });
}

test('what it may take, and what happens without an answer, have defaults', () => {
  const { timeout, fail, remember } = loadText(telnyx('')).lookups.lines ?? {};
  assert.deepEqual({ timeout, fail, remember }, { timeout: 2_000, fail: 'open', remember: 900_000 });
});
