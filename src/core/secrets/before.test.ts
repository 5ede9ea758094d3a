import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import {
  ACCOUNT,
  CODE,
  DEVICE,
  ID,
  IDEMPOTENCY_KEY,
  LONG,
  NUMBER,
  UNDER_NEW,
  UNDER_OLD,
  type WrittenBefore,
} from './before-fixture.ts';
import { type KeyedHash, Keyring } from './keyring.ts';
import { openField } from './sealed-field.ts';

const during = new Keyring(UNDER_NEW.secret, UNDER_OLD.secret);
const configurations: readonly (readonly [string, Keyring, WrittenBefore])[] = [
  ['under the secret of today', new Keyring(UNDER_NEW.secret), UNDER_NEW],
  ['under the secret of today, while it is rotated', during, UNDER_NEW],
  ['under the previous secret', during, UNDER_OLD],
];

suite('what the version before wrote', () => {
  for (const [name, keyring, written] of configurations) {
    test(`opens: ${name}`, () => {
      assert.equal(openField(keyring, written.destinationSealed, ID, 'destination'), NUMBER);
      assert.equal(openField(keyring, written.codeSealed, ID, 'code'), CODE);
      assert.equal(openField(keyring, written.boundToVerification, ID, 'code'), CODE);
      assert.equal(keyring.open(written.empty, 'c'), '');
      assert.equal(keyring.open(written.long, 'c'), LONG);
    });

    test(`can be opened, and is to be sealed again: ${name}`, () => {
      assert.equal(keyring.canOpen(written.codeSealed), true);
      assert.equal(keyring.isCurrent(written.codeSealed), false);
    });

    test(`opens in no other place, and with no byte altered, added or missing: ${name}`, () => {
      const { codeSealed } = written;
      assert.throws(() => openField(keyring, codeSealed, ID, 'destination'));
      assert.throws(() => openField(keyring, codeSealed, 'ver_2', 'code'));
      for (let i = 0; i < codeSealed.length; i++) {
        const other = codeSealed[i] === 'A' ? 'w' : 'A';
        const altered = codeSealed.slice(0, i) + other + codeSealed.slice(i + 1);
        assert.throws(() => openField(keyring, altered, ID, 'code'), `character ${i}`);
        assert.throws(() => openField(keyring, codeSealed.slice(0, i), ID, 'code'), `only ${i} characters`);
      }
      assert.throws(() => openField(keyring, `${codeSealed}AAAA`, ID, 'code'));
    });

    test(`is known again by its hashes: ${name}`, () => {
      const [, ...tags] = keyring.recipientTags(NUMBER);
      const known: readonly (readonly [Pick<KeyedHash, 'earlier'>, string])[] = [
        [keyring.codeMac(ID, CODE), written.codeMac],
        [keyring.destinationHash(ACCOUNT, false, NUMBER), written.destinationHash],
        [keyring.destinationHash(ACCOUNT, true, NUMBER), written.testDestinationHash],
        [{ earlier: tags }, written.recipientTag],
        [keyring.idempotencyHash(IDEMPOTENCY_KEY), written.keyHash],
        [keyring.idempotencyHash(`sms live ${NUMBER}`), written.bodyHash],
        [keyring.idempotencyHash(`confirm\0${IDEMPOTENCY_KEY}`), written.confirmKeyHash],
        [keyring.deviceMac(DEVICE), written.deviceMac],
      ];
      for (const [{ earlier }, hash] of known) {
        assert.ok(earlier.includes(hash), hash);
        assert.ok(earlier.length <= 3, 'no more than the stores take');
      }
    });
  }

  test('under a secret that is not configured any more it does not open', () => {
    const keyring = new Keyring(UNDER_NEW.secret);
    assert.equal(keyring.canOpen(UNDER_OLD.codeSealed), false);
    assert.throws(() => openField(keyring, UNDER_OLD.codeSealed, ID, 'code'), /not configured any more/);
  });
});
