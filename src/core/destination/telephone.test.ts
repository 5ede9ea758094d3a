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

  test('other users, hosts and numbers are other telephones', () => {
    const addresses = [
      '+14155550124',
      '+14155550125',
      'sip:alice@example.com',
      'sip:bob@example.com',
      'sip:alice@example.org',
    ];
    assert.equal(new Set(addresses.map(telephoneOf)).size, addresses.length);
  });
});
