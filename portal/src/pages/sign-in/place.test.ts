import assert from 'node:assert/strict';
import { test } from 'node:test';
import { placeOf } from './place.ts';

const ORIGIN = 'https://portal.example:8443';

test('goes back to a page of the portal, with its query', () => {
  for (const back of [
    '/',
    '/me',
    '/accounts/acc_1/verifications?status=failed&country=DE',
    '/accounts/a%20b/keys',
  ]) {
    assert.equal(placeOf(back, ORIGIN), back);
  }
  assert.equal(placeOf('/accounts/x/../y/keys', ORIGIN), '/accounts/y/keys');
});

test('goes to the first page instead of anywhere else', () => {
  const elsewhere = [
    null,
    '',
    'me',
    '//host',
    '///host',
    '/\\host',
    '\\\\host',
    '/\t/host',
    '/\n/host',
    '/.//host',
    '/..//host',
    '/..\\\\host',
    '/../',
    '/../..//host',
    '/%2e%2e//host',
    '/%2E%2e/%2e%2E//host',
    '/accounts/../..//host',
    '/../portalx/me',
    '/../docs',
    '@host/',
    '.host/',
    ':8444/',
    'https://host/',
    'javascript:alert(1)',
  ];
  for (const back of elsewhere) assert.equal(placeOf(back, ORIGIN), '/', String(back));
});

test('never leaves the portal', () => {
  const parts = ['/', '\\', '..', '.', '%2e', '%2f', '%5c', 'host', '@', ':', '?', '#', '\t', '//'];
  for (const a of parts) {
    for (const b of parts) {
      for (const c of parts) {
        for (const d of parts) {
          const place = placeOf(`/${a}${b}${c}${d}`, ORIGIN);
          const { origin, pathname } = new URL(`/portal${place}`, ORIGIN);
          assert.ok(origin === ORIGIN && pathname.startsWith('/portal/'), `/${a}${b}${c}${d}`);
          assert.ok(!place.startsWith('//'), place);
        }
      }
    }
  }
});
