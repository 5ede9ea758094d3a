import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import fc from 'fast-check';
import { Keyring } from './keyring.ts';

const OLD = 'the old secret, long enough for all';
const NEW = 'the new secret, long enough for all';

suite('keyring', () => {
  const keyring = new Keyring(NEW);

  test('what was sealed opens in its own context', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string(), (text, context) => {
        fc.pre(text.isWellFormed());
        assert.equal(keyring.open(keyring.seal(text, context), context), text);
      }),
    );
  });

  test('it opens in no other context', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), fc.string(), (text, context, other) => {
        fc.pre(context !== other);
        const sealed = keyring.seal(text, context);
        assert.throws(() => keyring.open(sealed, other));
      }),
    );
  });

  test('it opens with no byte altered, added or missing', () => {
    const sealed = keyring.seal('482913', 'ver_1');
    for (let i = 0; i < sealed.length; i++) {
      // These two differ in the bits that count even in the last character.
      const other = sealed[i] === 'A' ? 'w' : 'A';
      const altered = sealed.slice(0, i) + other + sealed.slice(i + 1);
      assert.throws(() => keyring.open(altered, 'ver_1'), `character ${i}`);
      assert.throws(() => keyring.open(sealed.slice(0, i), 'ver_1'), `only ${i} characters`);
    }
    assert.throws(() => keyring.open(`${sealed}AAAA`, 'ver_1'));
    assert.throws(() => keyring.open('', 'ver_1'));
  });

  test('no error says what was sealed', () => {
    const sealed = keyring.seal('482913', 'ver_1');
    assert.throws(
      () => keyring.open(sealed, 'ver_2'),
      (error: Error) => !error.message.includes('482913'),
    );
  });

  test('one text sealed twice looks different, over many seals', () => {
    const sealed = Array.from({ length: 2_000 }, () => keyring.seal('482913', 'ver_1'));
    assert.equal(new Set(sealed).size, sealed.length);
  });

  test('what is sealed does not show in it', () => {
    const sealed = keyring.seal('482913', 'ver_1');
    assert.doesNotMatch(sealed, /482913/);
    assert.doesNotMatch(Buffer.from(sealed, 'base64url').toString('latin1'), /482913/);
  });

  suite('rotation', () => {
    const before = new Keyring(OLD);
    const during = new Keyring(NEW, OLD);
    const after = new Keyring(NEW);

    test('the previous secret still opens, the current one seals', () => {
      const old = before.seal('text', 'c');
      assert.equal(during.open(old, 'c'), 'text');
      assert.throws(() => after.open(old, 'c'), /not configured any more/);
      const fresh = during.seal('text', 'c');
      assert.equal(after.open(fresh, 'c'), 'text');
      assert.throws(() => before.open(fresh, 'c'), /not configured any more/);
    });

    test('hashes are known under both secrets, the current first', () => {
      const hashes = (keyring: Keyring) => [
        keyring.codeMac('ver_1', '482913'),
        keyring.destinationHash('acc_1', false, '+4915112345678'),
      ];
      for (const [i, { current, previous }] of hashes(during).entries()) {
        assert.equal(previous, hashes(before)[i]?.current);
        assert.equal(current, hashes(after)[i]?.current);
        assert.equal(hashes(before)[i]?.previous, null);
      }
      const [newTag, oldTag] = during.recipientTags('+4915112345678');
      assert.deepEqual([newTag], after.recipientTags('+4915112345678'));
      assert.deepEqual([oldTag], before.recipientTags('+4915112345678'));
    });
  });

  suite('hashes', () => {
    const number = '+4915112345678';

    test('are the same for the same', () => {
      const again = new Keyring(NEW);
      assert.deepEqual(keyring.codeMac('ver_1', '482913'), again.codeMac('ver_1', '482913'));
      assert.deepEqual(
        keyring.destinationHash('acc_1', true, number),
        again.destinationHash('acc_1', true, number),
      );
      assert.equal(keyring.idempotencyHash('key'), again.idempotencyHash('key'));
    });

    test('differ by secret, purpose, account, mode, verification and content', () => {
      const hashes = [
        keyring.destinationHash('acc_1', false, number).current,
        keyring.destinationHash('acc_2', false, number).current,
        keyring.destinationHash('acc_1', true, number).current,
        keyring.destinationHash('acc_1', false, '+4915112345679').current,
        new Keyring(OLD).destinationHash('acc_1', false, number).current,
        keyring.recipientTags(number)[0],
        keyring.idempotencyHash(number),
        keyring.codeMac('acc_1', `live\0${number}`).current,
        keyring.codeMac('ver_1', '482913').current,
        keyring.codeMac('ver_2', '482913').current,
        keyring.codeMac('ver_1', '482914').current,
      ];
      assert.equal(new Set(hashes).size, hashes.length);
    });

    test('of a destination and of a recipient are those of the telephone that rings', () => {
      for (const [address, same] of [
        ['+4915112345678', 'tel:+4915112345678;ext=7'],
        ['sip:alice@example.com', 'sips:Alice@example.com:5061'],
      ] as const) {
        assert.deepEqual(
          keyring.destinationHash('acc_1', false, same),
          keyring.destinationHash('acc_1', false, address),
        );
        assert.deepEqual(keyring.recipientTags(same), keyring.recipientTags(address));
      }
    });

    test('are 128 bits, and hold nothing of what they hash', () => {
      for (const hash of [keyring.idempotencyHash(number), ...keyring.recipientTags(number)]) {
        assert.equal(Buffer.from(hash, 'base64url').length, 16);
        assert.doesNotMatch(hash, /15112345678/);
      }
    });
  });
});
