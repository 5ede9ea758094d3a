import assert from 'node:assert/strict';
import { test } from 'node:test';
import { maskDestination } from './destination-mask.ts';

test('of a number the country code and the last two digits are left', () => {
  assert.equal(maskDestination('+4915123456789'), '+49•••••••••89');
  assert.equal(maskDestination('+12025550123'), '+1••••••••23');
  assert.equal(maskDestination('+80012345678'), '+800••••••78');
});

test('a short number shows no more than that', () => {
  assert.equal(maskDestination('+29012345'), '+290•••45');
});

test('an extension is hidden whole, and of a SIP URI the host is left', () => {
  assert.equal(maskDestination('tel:+12025550123;ext=4711'), '+1••••••••23;ext=•••');
  assert.equal(maskDestination('sip:+12025550123@example.com:5070'), 'sip:•••@example.com:5070');
  assert.equal(maskDestination("sips:a'b@192.0.2.1"), 'sips:•••@192.0.2.1');
});
