import assert from 'node:assert/strict';
import { test } from 'node:test';
import { identifierWords, optionWords } from './identifier.ts';

test('identifiers are words', () => {
  const words = new Map([
    ['systemId', 'System ID'],
    ['dailyCap', 'Daily cap'],
    ['sms', 'SMS'],
    ['rcs', 'RCS'],
    ['ucs2', 'UCS-2'],
    ['sourceNpi', 'Source NPI'],
    ['folderInAsterisk', 'Folder in Asterisk'],
    ['englishFallback', 'English fallback'],
    ['whatsapp', 'WhatsApp'],
    ['POST', 'POST'],
    ['ca', 'Certificate authority'],
    ['from', 'From'],
  ]);
  for (const [identifier, said] of words) assert.equal(identifierWords(identifier), said);
});

test('a key of the configuration says whose option it is', () => {
  assert.equal(optionWords('carriers.acme.systemId'), 'acme: System ID');
  assert.equal(optionWords('carriers.acme.sms.from'), 'acme: SMS, From');
  assert.equal(optionWords('routes[0].dailyCap'), 'Route 1: Daily cap');
  assert.equal(optionWords('routes[2]'), 'Route 3');
});
