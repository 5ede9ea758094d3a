import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import fc from 'fast-check';
import { type Destination, parseDestination } from '../../core/destination/destination.ts';
import { anyText } from '../../core/text/any-text-fixture.ts';
import { dialStringOf } from './dial-string.ts';

const trunks = { trunk: 'carrier', number: '{{toDigits}}', sipTrunk: 'sip-out' };
const of = (kind: Destination['kind'], address: string) =>
  dialStringOf({ kind, address, country: 'ZZ' }, trunks);

suite('dial string', () => {
  test('of numbers, with and without an extension', () => {
    const called = { ok: true, endpoint: 'PJSIP/12025550123@carrier' };
    assert.deepEqual(of('e164', '+12025550123'), { ...called, extension: undefined });
    assert.deepEqual(of('extension', 'tel:+12025550123;ext=007'), { ...called, extension: '007' });
  });

  test('of numbers in the form that the trunk expects', () => {
    for (const [number, endpoint] of [
      ['{{to}}', 'PJSIP/+12025550123@carrier'],
      ['00{{toDigits}}', 'PJSIP/0012025550123@carrier'],
    ] as const) {
      const dialling = dialStringOf(
        { kind: 'e164', address: '+12025550123', country: 'US' },
        { ...trunks, number },
      );
      assert.equal(dialling.ok && dialling.endpoint, endpoint);
    }
  });

  test('of SIP URIs', () => {
    for (const uri of ['sip:alice@example.com', 'sips:a.b-c_d+1@192.0.2.7:5061', 'sip:*97@pbx.example.com']) {
      const dialling = of('sip', uri);
      assert.equal(dialling.ok && dialling.endpoint, `PJSIP/sip-out/${uri}`);
    }
  });

  for (const uri of [
    'sip:a&PJSIP/b@example.com',
    'sip:a/b@example.com',
    'sip:a@b@example.com',
    'sip:a@example.com/other',
    'sip:a@example.com&Local/1@default',
    'sip:a,b@example.com',
    'sip:a^b@example.com',
    'sip:$' + '{SHELL(id)}@example.com',
    'sip:a@example.com;transport=tcp',
    'sip:a@example.com?Replaces=x',
    'sip:a@example.com\n',
    'Local/1@default',
    '',
  ]) {
    test(`refuses ${JSON.stringify(uri)}`, () => assert.equal(of('sip', uri).ok, false));
  }

  test('is one target on a configured endpoint, whatever the input', () => {
    const hostile = fc.string({ unit: fc.constantFrom(...'aZ09+@&/:;,^$(){}=!*.-_%~\n sip'), maxLength: 40 });
    const address = fc.oneof(
      anyText(),
      hostile,
      fc.tuple(hostile, hostile).map(([user, host]) => `sip:${user}@${host}`),
      hostile.map((text) => `+1202555${text}`),
      hostile.map((text) => `tel:+12025550123;ext=${text}`),
    );
    const kind = fc.constantFrom('e164', 'extension', 'sip');
    fc.assert(
      fc.property(kind, address, (kind, address) => {
        const dialling = of(kind, address);
        if (!dialling.ok) return;
        assert.match(
          dialling.endpoint,
          /^PJSIP\/(\d{5,15}@carrier|sip-out\/sips?:[^/&@,^$;?\s]+@[a-z0-9.:-]+)$/,
        );
        assert.match(dialling.extension ?? '0', /^\d{1,8}$/);
      }),
      { numRuns: 5_000 },
    );
  });

  test('exists for every kind of destination', () => {
    for (const input of [
      '+4915112345678',
      'tel:+12025550123;ext=12',
      'sip:alice@example.com',
      'SIPS:bob@EXAMPLE.com',
    ]) {
      const parsed = parseDestination(input, 'voice');
      assert.ok(parsed.ok && dialStringOf(parsed.destination, trunks).ok, input);
    }
  });
});
