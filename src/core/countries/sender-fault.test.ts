import assert from 'node:assert/strict';
import { test } from 'node:test';
import { COUNTRY_RULES } from './rules.ts';
import { findNameFault, isForeignNumber, isFullNumber } from './sender-fault.ts';

function faulty(country: string, ...names: string[]): string[] {
  const rule = COUNTRY_RULES.get(country);
  assert.ok(rule);
  return names.filter((name) => findNameFault(name, rule) !== undefined);
}

test('the form of names by country', () => {
  const ascii = 'Acme~{|}';
  assert.deepEqual(faulty('AU', 'AB', ascii, 'A', 'Acmé', ' Acme', 'Acme_', 'UnverifiedA'), [
    'A',
    'Acmé',
    ' Acme',
    'Acme_',
    'UnverifiedA',
  ]);
  assert.deepEqual(faulty('FR', 'Acme1', 'Acme Co', 'Acmé', 'A.C'), ['Acme Co', 'Acmé', 'A.C']);
  assert.deepEqual(faulty('ES', 'Acm', 'Ac'), ['Ac']);
  assert.deepEqual(faulty('TH', 'Acme Co', 'Ac', 'A B C', '-Acme'), ['Ac', 'A B C', '-Acme']);
  assert.deepEqual(faulty('TR', 'ACME.1', 'Acmé', 'Ac'), ['Acmé', 'Ac']);
  assert.deepEqual(faulty('HK', '#Acme', 'Acme'), ['Acme']);
  assert.deepEqual(faulty('NG', 'Acme', 'Acme1'), ['Acme1']);
});

test('a name of nothing but general words is refused, however it is written', () => {
  assert.deepEqual(faulty('AU', 'Verify', 'SECURE-INFO', 'Acme Verify', 'Anti-Fraud', 'Veri'), [
    'Verify',
    'SECURE-INFO',
    'Anti-Fraud',
  ]);
  assert.deepEqual(faulty('AU', 'Secure Info', 'INFO2'), ['Secure Info', 'INFO2']);
  assert.deepEqual(faulty('PL', 'Øinfo', 'Éinfo', 'Info!'), ['Info!']);
});

test('numbers, short codes and where a number is from', () => {
  assert.deepEqual(['+447700900123', '447700900123', '60123', 'Acme', 'MG0'].filter(isFullNumber), [
    '+447700900123',
    '447700900123',
  ]);
  assert.equal(isForeignNumber('447700900123', 'GB'), false);
  assert.equal(isForeignNumber('+4915112345678', 'GB'), true);
});
