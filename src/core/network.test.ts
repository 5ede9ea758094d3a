import assert from 'node:assert/strict';
import { test } from 'node:test';
import { clientNetworkOf } from './network.ts';

test('a household of IPv6 is one network, an address of IPv4 as well', () => {
  assert.equal(clientNetworkOf('2001:db8:1:2::9'), clientNetworkOf('2001:0db8:1:2:ffff::1'));
  assert.notEqual(clientNetworkOf('2001:db8:1:2::9'), clientNetworkOf('2001:db8:1:3::9'));
  assert.equal(clientNetworkOf('::ffff:203.0.113.9'), '203.0.113.9');
  assert.equal(clientNetworkOf('::1'), '0:0:0:0::/64');
});
