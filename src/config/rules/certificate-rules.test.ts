import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findProblem, loadText } from '../fixture.ts';

test('a certificate and its key come together', () => {
  loadText('tls: { cert: a, key: b }');
  assert.match(findProblem('tls: { cert: a }'), /^tls\.key: is missing, but tls\.cert is set/);
  assert.match(findProblem('tls: { key: b }'), /^tls\.cert: is missing, but tls\.key is set/);
});

test('names are for the certificate that the service makes', () => {
  assert.match(
    findProblem('tls: { cert: a, key: b, names: [countersign] }'),
    /^tls\.names: is set together with tls\.cert/,
  );
});

test('names are host names and addresses', () => {
  const names = [
    'countersign',
    'Verify.Example.com',
    'xn--bcher-kva.example',
    '10.0.0.5',
    '2001:db8::1',
    'a1',
  ];
  assert.deepEqual(loadText(`tls: { names: ${JSON.stringify(names)} }`).tls?.names, names);
  assert.deepEqual(loadText('', { TLS_NAMES: 'countersign, 10.0.0.5' }).tls?.names, [
    'countersign',
    '10.0.0.5',
  ]);
  for (const wrong of [
    '',
    'a b',
    'under_score',
    '-a',
    'a-',
    'a..b',
    'a.',
    '*.example.com',
    'https://example.com',
    'example.com:8443',
    'bücher.example',
    '10.0.0.256',
    '10.0.0',
    '10.0.0.0/8',
    'fe80::1%eth0',
    '[::1]',
    'x'.repeat(64),
    `${'x.'.repeat(127)}x`,
  ]) {
    const yaml = `tls: { names: [localhost, ${JSON.stringify(wrong)}] }`;
    assert.match(findProblem(yaml), /^tls\.names\[1\]: is ".*"; correct it/, wrong);
  }
});
