import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import fc from 'fast-check';
import { createAddressGuard } from './addresses.ts';

const REFUSED = [
  '0.0.0.0',
  '10.1.2.3',
  '100.64.0.1',
  '127.0.0.1',
  '127.255.255.254',
  '169.254.169.254',
  '172.16.0.1',
  '172.31.255.255',
  '192.168.1.1',
  '198.18.0.1',
  '203.0.113.9',
  '224.0.0.1',
  '255.255.255.255',
  '::',
  '::1',
  'fe80::1',
  'fe80::1%eth0',
  'fc00::1',
  'fd12:3456::1',
  'ff02::1',
  '2001:db8::1',
  // Teredo, and 6to4 of 10.0.0.1.
  '2001:0:4136:e378:8000:63bf:3fff:fdd2',
  '2002:a00:1::1',
  // IPv4-mapped and NAT64, written in both ways.
  '::ffff:127.0.0.1',
  '::ffff:7f00:1',
  '::ffff:10.0.0.1',
  '64:ff9b::10.0.0.1',
  '64:ff9b::a00:1',
  '64:ff9b::a9fe:a9fe',
  '64:ff9b:1::a00:1',
  '::10.0.0.1',
  'example.com',
  '',
  '1.2.3',
  '0x7f.0.0.1',
];

const REACHED = [
  '8.8.8.8',
  '93.184.216.34',
  '172.32.0.1',
  '100.128.0.1',
  '2606:2800:220:1:248:1893:25c8:1946',
  '::ffff:8.8.8.8',
  '64:ff9b::808:808',
];

suite('addresses of webhooks', () => {
  const mayReach = createAddressGuard([]);

  for (const address of REFUSED) {
    test(`${address || 'nothing'} is refused`, () => assert.equal(mayReach(address), false));
  }
  for (const address of REACHED) {
    test(`${address} is on the Internet`, () => assert.equal(mayReach(address), true));
  }

  test('what the operator allows is reached, and nothing beside it', () => {
    const mayReach = createAddressGuard(['10.1.0.0/16', '127.0.0.1', 'fd00:1::/32']);
    const reached = ['10.1.255.255', '127.0.0.1', '::ffff:10.1.0.1', 'fd00:1::9', '8.8.8.8'];
    const refused = ['10.2.0.0', '127.0.0.2', 'fd00:2::9', '192.168.0.1'];
    for (const address of reached) assert.ok(mayReach(address), address);
    for (const address of refused) assert.ok(!mayReach(address), address);
  });

  test('an IPv4 address is judged alike in all its forms', () => {
    fc.assert(
      fc.property(fc.ipV4(), (address) => {
        const plain = mayReach(address);
        assert.equal(mayReach(`::ffff:${address}`), plain, address);
        assert.equal(mayReach(`64:ff9b::${address}`), plain, address);
      }),
    );
  });
});
