import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseSipUri } from './sip-uri.ts';

for (const [input, canonical] of [
  ['sip:alice@example.com', 'sip:alice@example.com'],
  ['SIPS:Alice.B+1@EXAMPLE.Com', 'sips:Alice.B+1@example.com'],
  ['sip:+12025550123@pbx:5062', 'sip:+12025550123@pbx:5062'],
  ['sip:100@192.0.2.7', 'sip:100@192.0.2.7'],
] as const) {
  test(`${input} is ${canonical}`, () => {
    assert.equal(parseSipUri(input), canonical);
  });
}

for (const [reason, input] of [
  ['no user', 'sip:example.com'],
  ['an empty user', 'sip:@example.com'],
  ['a password', 'sip:alice:secret@example.com'],
  ['a header', 'sip:alice@example.com?subject=x'],
  ['a parameter', 'sip:alice@example.com;maddr=10.0.0.1'],
  ['a second address', 'sip:alice@example.com@evil.example'],
  ['an escape', 'sip:al%0d%0aice@example.com'],
  ['a line break', 'sip:alice@example.com\r\nVia: x'],
  ['a trailing line break', 'sip:alice@example.com\n'],
  ['a blank', 'sip:al ice@example.com'],
  ['a letter beyond ASCII', 'sip:alicé@example.com'],
  ['an empty label', 'sip:alice@example..com'],
  ['a label that begins with a hyphen', 'sip:alice@-example.com'],
  ['an address that is none', 'sip:alice@300.1.1.1'],
  ['an IPv6 literal', 'sip:alice@[::1]'],
  ['port 0', 'sip:alice@example.com:0'],
  ['a port too high', 'sip:alice@example.com:65536'],
  ['another scheme', 'http:alice@example.com'],
  ['256 characters', `sip:${'a'.repeat(256 - 'sip:@example.com'.length)}@example.com`],
] as const) {
  test(`refuses ${reason}`, () => {
    assert.equal(parseSipUri(input), undefined);
  });
}
