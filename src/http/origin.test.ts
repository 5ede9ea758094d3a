import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isSameOrigin, originOfHost } from './origin.ts';

test('an origin is the one that browsers make of a host, however a proxy writes it', () => {
  for (const [host, expected] of [
    ['name.example', 'https://name.example'],
    ['name.example:443', 'https://name.example'],
    ['name.example:8443', 'https://name.example:8443'],
    ['name.example:80', 'https://name.example:80'],
    ['Name.EXAMPLE:443', 'https://name.example'],
    ['name.example.:443', 'https://name.example.'],
    ['[::1]:443', 'https://[::1]'],
    ['[2001:DB8:0:0::1]:8443', 'https://[2001:db8::1]:8443'],
    ['bücher.example', 'https://xn--bcher-kva.example'],
    ['127.0.0.1:443', 'https://127.0.0.1'],
  ] as const)
    assert.equal(originOfHost(host), expected, host);
});

test('what is no host is nobody’s origin', () => {
  for (const host of [
    undefined,
    '',
    'name.example:99999',
    'name.example/portal',
    'someone@name.example',
    'name.example?x',
    'name.example#x',
    'name example',
    'name.example\\@evil.example',
  ])
    assert.equal(originOfHost(host), 'https://host.invalid', host ?? 'no Host');
});

test('an origin that was sent is compared in its normal form, and none with nobody’s', () => {
  for (const origin of ['https://Name.Example:443', 'https://name.example'])
    assert.ok(isSameOrigin(origin, 'name.example:443'), origin);
  for (const origin of [
    undefined,
    '',
    'null',
    'name.example',
    'http://name.example',
    'https://name.example:8443',
  ])
    assert.ok(!isSameOrigin(origin, 'name.example'), origin ?? 'no Origin');
  assert.ok(!isSameOrigin('https://host.invalid', ''));
});
