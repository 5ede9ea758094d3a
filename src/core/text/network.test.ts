import assert from 'node:assert/strict';
import { test } from 'node:test';
import { clientNetworkOf, cutNetworkOf } from './network.ts';

test('a household of IPv6 is one network, an address of IPv4 as well', () => {
  assert.equal(clientNetworkOf('2001:db8:1:2::9'), clientNetworkOf('2001:0db8:1:2:ffff::1'));
  assert.notEqual(clientNetworkOf('2001:db8:1:2::9'), clientNetworkOf('2001:db8:1:3::9'));
  for (const mapped of ['::ffff:203.0.113.9', '::ffff:cb00:7109', '0:0:0:0:0:FFFF:CB00:7109']) {
    assert.equal(clientNetworkOf(mapped), '203.0.113.9', mapped);
    assert.equal(cutNetworkOf(mapped), '203.0.113.0/24', mapped);
  }
  assert.equal(clientNetworkOf('::1'), '0:0:0:0::/64');
});
