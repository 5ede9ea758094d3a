import assert from 'node:assert/strict';
import { rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { CARRIER_TYPES } from '../../carriers/all-types.ts';
import { findProblem, loadText } from '../fixture.ts';
import { displayConfig } from '../table/display.ts';

const withIssuer = (issuer: string, more = '') =>
  `portal: { oidc: { sso: { issuer: "${issuer}", clientId: a${more} } } }`;

test('a provider needs an issuer and a client id', () => {
  const { sso } = loadText(withIssuer('https://sso.example.com/realms/a')).portal.oidc;
  assert.deepEqual(sso, {
    issuer: 'https://sso.example.com/realms/a',
    clientId: 'a',
    scopes: ['openid', 'email', 'profile'],
    verifiedClaim: 'email_verified',
    newcomers: [],
  });
  assert.deepEqual(loadText('').portal, { oidc: {} });
  assert.match(
    findProblem('portal: { oidc: { sso: { clientId: a } } }'),
    /^portal\.oidc\.sso\.issuer: is missing/,
  );
});

test('its secret may be in the environment or in a file, and is never shown', (t) => {
  const file = join(tmpdir(), `countersign-oidc-${process.pid}`);
  writeFileSync(file, 'from-a-file\n');
  t.after(() => rmSync(file));
  const yaml = 'portal: { oidc: { my-sso: { clientId: a } } }';
  const config = loadText(yaml, {
    PORTAL_OIDC_MY_SSO_ISSUER: 'https://sso.example.com',
    PORTAL_OIDC_MY_SSO_CLIENT_SECRET_FILE: file,
  });
  assert.equal(config.portal.oidc['my-sso']?.clientSecret, 'from-a-file');
  assert.doesNotMatch(JSON.stringify(displayConfig(config, CARRIER_TYPES)), /from-a-file/);
});

test('an issuer is reached over https, or over http only on this machine', () => {
  for (const issuer of ['http://localhost:8080/realms/a', 'http://127.0.0.1:1', 'http://[::1]:1']) {
    assert.equal(loadText(withIssuer(issuer)).portal.oidc.sso?.issuer, issuer);
  }
  for (const issuer of ['http://sso.example.com', 'http://127.0.0.1.example.com', 'http://10.0.0.1']) {
    assert.match(findProblem(withIssuer(issuer)), /issuer: is reached over http at .*; use https/, issuer);
  }
  for (const issuer of [
    'sso.example.com',
    'https://sso.example.com?a=b',
    'https://u@sso.example.com',
    'https://[',
  ]) {
    assert.match(findProblem(withIssuer(issuer)), /portal\.oidc\.sso\.issuer: is .*; correct it/, issuer);
  }
});

test('a provider for no identity, or for everyone’s, is refused', () => {
  assert.match(
    findProblem(withIssuer('https://sso.example.com', ', scopes: [email]')),
    /scopes: lacks openid; add openid/,
  );
  for (const everyones of ['common', 'organizations', 'consumers']) {
    assert.match(
      findProblem(withIssuer(`https://login.microsoftonline.com/${everyones}/v2.0`)),
      /issuer: admits every tenant of Entra ID; use the id of your own tenant/,
      everyones,
    );
  }
});

test('newcomers are admitted by domain, and never as owners', () => {
  const rule = (role: string, domain = 'example.com') =>
    withIssuer('https://sso.example.com', `, newcomers: [{ domains: ["${domain}"], role: ${role} }]`);
  assert.deepEqual(loadText(rule('developer')).portal.oidc.sso?.newcomers, [
    { domains: ['example.com'], account: 'default', role: 'developer' },
  ]);
  assert.match(findProblem(rule('owner')), /newcomers\[0\]\.role: is "owner"/);
  for (const domain of ['*', '@example.com', 'Example.com', 'com']) {
    assert.match(findProblem(rule('viewer', domain)), /newcomers\[0\]\.domains\[0\]: is /, domain);
  }
});
