import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import fc from 'fast-check';
import { parseDestination } from './destination.ts';
import { telephoneOf } from './telephone.ts';

suite('what rings', () => {
  test('a number with any extension is the number', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^\d{1,8}$/), (extension) => {
        const parsed = parseDestination(`tel:+14155550124;ext=${extension}`, 'voice');
        assert.ok(parsed.ok);
        assert.equal(telephoneOf(parsed.destination.address), '+14155550124');
      }),
    );
  });

  test('a SIP URI is its user and host, whatever the port, the scheme and the case', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 65_535 }),
        fc.constantFrom('sip', 'sips', 'SIP'),
        (port, scheme) => {
          for (const user of ['alice', 'Alice', 'ALICE']) {
            const parsed = parseDestination(`${scheme}:${user}@Example.com:${port}`, 'voice');
            assert.ok(parsed.ok);
            assert.equal(telephoneOf(parsed.destination.address), 'sip:alice@example.com');
          }
        },
      ),
    );
    assert.equal(telephoneOf('sip:alice@example.com'), 'sip:alice@example.com');
  });

  test('a number as the user of a SIP URI is the number, however it is written', () => {
    const separators = fc.array(fc.constantFrom('', '-', '.', '(', ')', '--'), {
      minLength: 12,
      maxLength: 12,
    });
    fc.assert(
      fc.property(fc.constantFrom('', '+'), separators, (plus, between) => {
        const user = [...'14155550124'].map((digit, index) => `${between[index]}${digit}`).join('');
        const parsed = parseDestination(`sip:${plus}${user}${between[11]}@gw.example-1.com`, 'voice');
        assert.ok(parsed.ok);
        assert.equal(telephoneOf(parsed.destination.address), `sip:${plus}14155550124@gw.example-1.com`);
      }),
    );
  });

  test('other users, hosts and numbers are other telephones', () => {
    const addresses = [
      '+14155550124',
      '+14155550125',
      'sip:alice@example.com',
      'sip:bob@example.com',
      'sip:alice@example.org',
      'sip:al-ice@example.com',
      'sip:a.1@example.com',
      'sip:a1@example.com',
      'sip:-@example.com',
      'sip:.@example.com',
      'sip:1@exam-ple.com',
      'sip:1@example.com',
      'sip:1~2@example.com',
      'sip:12@example.com',
    ];
    assert.equal(new Set(addresses.map(telephoneOf)).size, addresses.length);
  });
});
