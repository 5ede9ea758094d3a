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
  assert.equal(
    findProblem('lookups: { lines: { type: telnyx, price: 0 } }'),
    'lookups.lines.apiKey: is missing; add it, or apiKeyFile',
  );
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

const READ = { swapped: { path: 's' } };
const faulty: readonly (readonly [string, object, string])[] = [
  ['no number', { url: 'https://h/q', ...READ }, 'url: nothing holds {{to}} or {{toDigits}}; add one'],
  [
    'no number in a body',
    { url: 'https://h/q', method: 'POST', json: {}, ...READ },
    'json: nothing holds {{to}} or {{toDigits}}; add one',
  ],
  [
    'nothing read',
    { url: 'https://h/{{to}}' },
    'type: is http, and nothing is read of the answer; set lineType, swapped, swappedAt, ported, portedAt or recycled',
  ],
  [
    'a placeholder of carriers',
    { url: 'https://h/{{to}}?c={{code}}', ...READ },
    'url: unknown placeholder {{code}}; use one of to, toDigits, hours, portedHours, since',
  ],
  [
    'a host to choose',
    { url: 'https://{{to}}/', ...READ },
    'url: has a placeholder in the host; move it into the path or the query',
  ],
  [
    'two credentials',
    { url: 'https://h/{{to}}', bearer: 'a', basic: { user: 'u', password: 'p' }, ...READ },
    'bearer: is set together with basic; remove one of the two',
  ],
  [
    'a body of GET',
    { url: 'https://h/{{to}}', json: {}, ...READ },
    'json: a GET request has no body; remove it, or set method: POST',
  ],
  [
    'a header that is none',
    { url: 'https://h/{{to}}', headers: { 'x y': 'z' }, ...READ },
    'headers.x y: not a valid HTTP header; correct it',
  ],
  [
    'a file that is not there',
    { url: 'https://h/{{to}}', ca: '/no', ...READ },
    'ca: /no cannot be read; correct it',
  ],
];
for (const [name, options, problem] of faulty) {
  test(`${name} is a problem of the configuration`, () => {
    const one = { type: 'http', price: 0, ...options };
    assert.equal(findProblem(JSON.stringify({ lookups: { one } })), `lookups.one.${problem}`);
  });
}

for (const [type, path] of [
  ['camara-sim-swap', 'sim-swap/v2'],
  ['camara-number-recycling', 'number-recycling/v0.2'],
] as const) {
  test(`the address of ${type} ends before /check, which is added`, () => {
    const one = { type, price: 0, tokenUrl: 'https://h/t', clientId: 'c', clientSecret: 's' };
    const wrong = (url: string) => findProblems(JSON.stringify({ lookups: { one: { ...one, url } } }));
    assert.deepEqual(wrong(`https://h/${path}`), []);
    for (const end of ['/check', '/check/'])
      assert.deepEqual(wrong(`https://h/${path}${end}`), [
        { key: 'lookups.one.url', wrong: 'ends in /check, which is added to it', fix: 'remove /check' },
      ]);
  });
}

test('a path is no JSONPath, and has no brackets', () => {
  for (const path of ['$', '$.a.b', '$[0]', 'a[0].b']) {
    const one = { type: 'http', url: 'https://h/{{to}}', price: 0, portedAt: path, swapped: { path } };
    assert.deepEqual(
      findProblems(JSON.stringify({ lookups: { one } })).map(({ key, expected }) => `${key}: ${expected}`),
      ['swapped.path', 'portedAt'].map(
        (option) => `lookups.one.${option}: a path such as data.line.type, with dots only and without $`,
      ),
      path,
    );
  }
  assert.deepEqual(
    findProblems(
      JSON.stringify({
        lookups: { one: { type: 'http', url: 'https://h/{{to}}', price: 0, portedAt: 'a.0.$id' } },
      }),
    ),
    [],
  );
});

test('an address without a scheme is told what is expected', () => {
  const [look, ...more] = findProblems(
    'lookups: { one: { type: http, url: "h/{{to}}", price: 0, portedAt: p } }',
  );
  assert.equal(look?.expected, 'an https address such as https://api.example.com/numbers/{{toDigits}}');
  assert.deepEqual(more, []);
});
