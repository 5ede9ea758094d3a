import assert from 'node:assert/strict';
import { createDecipheriv, createHmac, hkdfSync } from 'node:crypto';
import { suite, test } from 'node:test';
import fc from 'fast-check';
import { anyText } from '../text/any-text-fixture.ts';
import { Keyring } from './keyring.ts';

const OLD = 'the old secret, long enough for all';
const NEW = 'the new secret, long enough for all';

suite('keyring', () => {
  const keyring = new Keyring(NEW);

  test('what was sealed opens in its own context', () => {
    fc.assert(
      fc.property(anyText(), fc.string(), (text, context) => {
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

  test('it opens with no shorter tag, which would be easier to guess', () => {
    const sealed = keyring.seal('', 'ver_1');
    const [header = '', body = ''] = sealed.split(/(?<=\d\.)(?=[\w-]+$)/);
    const bytes = Buffer.from(body, 'base64url');
    for (const missing of [1, 2, 3, 4, 8, 12]) {
      const shortened = header + bytes.subarray(0, -missing).toString('base64url');
      assert.throws(() => keyring.open(shortened, 'ver_1'), `${missing} bytes less`);
    }
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

  test('what differs only in bits that base64url leaves over does not open either', () => {
    const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
    for (const text of ['', '4', '48', '482']) {
      const sealed = keyring.seal(text, 'ver_1');
      for (const last of digits.replace(sealed.slice(-1), '')) {
        assert.throws(() => keyring.open(sealed.slice(0, -1) + last, 'ver_1'), `${text} ${last}`);
      }
    }
  });

  test('a context takes nothing from what stands in front of the text', () => {
    const sealed = keyring.seal('482913', '7.ver_1');
    const moved = sealed.replace(/\d\.([^.]*)$/, '.$1');
    assert.throws(() => keyring.open(moved, `${sealed[sealed.lastIndexOf('.') - 1]}.7.ver_1`));
  });

  suite('days', () => {
    const DAY = 86_400_000;
    const MIDNIGHT = Date.UTC(2026, 10, 22);
    let now = MIDNIGHT;
    const turning = new Keyring(NEW, OLD, () => now);

    test('a text sealed on one day opens on any other, by another process as well', () => {
      fc.assert(
        fc.property(fc.nat(30_000 * DAY), fc.nat(30_000 * DAY), (sealedAt, openedAt) => {
          now = sealedAt;
          const sealed = turning.seal('482913', 'ver_1');
          now = openedAt;
          for (const keyring of [turning, new Keyring('another secret, as long as those', NEW)]) {
            assert.equal(keyring.open(sealed, 'ver_1'), '482913');
            assert.equal(keyring.canOpen(sealed), true);
          }
          assert.equal(turning.isCurrent(sealed), true);
        }),
      );
    });

    test('each has a key of its own, which HKDF derives from the secret', () => {
      for (now of [MIDNIGHT - 1, MIDNIGHT, MIDNIGHT + 40 * DAY]) {
        const sealed = turning.seal('482913', 'ver_1');
        const [header = '', body = ''] = sealed.split(/(?<=\d\.)(?=[\w-]+$)/);
        const bytes = Buffer.from(body, 'base64url');
        const purpose = `countersign seals of day ${Math.floor(now / DAY)}`;
        const key = Buffer.from(hkdfSync('sha256', NEW, '', purpose, 32));
        const cipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, 12), { authTagLength: 16 })
          .setAAD(Buffer.from(`${header}ver_1`))
          .setAuthTag(bytes.subarray(-16));
        assert.equal(
          cipher.update(bytes.subarray(12, -16), undefined, 'utf8') + cipher.final('utf8'),
          '482913',
        );
      }
    });

    test('a text said to be of another day does not open', () => {
      now = MIDNIGHT;
      const sealed = turning.seal('482913', 'ver_1');
      now = MIDNIGHT + DAY - 1;
      const evening = turning.seal('482913', 'ver_1');
      now = MIDNIGHT + DAY;
      const tomorrow = turning.seal('482913', 'ver_1');
      const dayOf = (text: string) => Number(/^2\..{6}(\d+)\./.exec(text)?.[1]);
      const day = MIDNIGHT / DAY;
      assert.deepEqual([dayOf(sealed), dayOf(evening), dayOf(tomorrow)], [day, day, day + 1]);
      for (const other of [day - 1, day + 1, `0${day}`]) {
        assert.throws(() => turning.open(sealed.replace(String(day), String(other)), 'ver_1'), String(other));
      }
    });
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
      assert.deepEqual([during.isCurrent(old), during.isCurrent(fresh)], [false, true]);
      assert.deepEqual(
        [during.canOpen(old), after.canOpen(old), before.canOpen(fresh)],
        [true, false, false],
      );
    });

    test('hashes are known under both secrets, the current first', () => {
      const hashes = (keyring: Keyring) => [
        keyring.codeMac('ver_1', '482913'),
        keyring.destinationHash('acc_1', false, '+4915112345678'),
        keyring.idempotencyHash('key'),
        keyring.deviceMac('text'),
      ];
      for (const [i, { current, earlier }] of hashes(during).entries()) {
        const [old, fresh] = [hashes(before)[i], hashes(after)[i]];
        assert.equal(current, fresh?.current);
        assert.deepEqual(earlier, [old?.current]);
        assert.deepEqual([fresh?.earlier, old?.earlier], [[], []]);
      }
      assert.deepEqual(
        [before, during, after].map((each) => each.isRotating),
        [false, true, false],
      );
      const [newTag, oldTag] = during.recipientTags('+4915112345678');
      assert.equal(newTag, after.recipientTags('+4915112345678')[0]);
      assert.equal(oldTag, before.recipientTags('+4915112345678')[0]);
    });
  });

  test('what version 0.1 sealed is not opened, and the error says so', () => {
    // A code of six digits, sealed under NEW.
    const sealed = 'aACMCzTeOqUnwResrY1.DvqNiherrgR7tSRbTDvlI-vhu_Bn2N';
    assert.throws(() => keyring.open(sealed, 'ver_1'), /sealed by version 0\.1/);
    assert.deepEqual([keyring.canOpen(sealed), keyring.isCurrent(sealed)], [false, false]);
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
      assert.deepEqual(keyring.idempotencyHash('key'), again.idempotencyHash('key'));
      assert.deepEqual(keyring.deviceMac('text'), again.deviceMac('text'));
    });

    test('differ by secret, purpose, account, mode, verification and content', () => {
      const hashes = [
        keyring.destinationHash('acc_1', false, number).current,
        keyring.destinationHash('acc_2', false, number).current,
        keyring.destinationHash('acc_1', true, number).current,
        keyring.destinationHash('acc_1', false, '+4915112345679').current,
        new Keyring(OLD).destinationHash('acc_1', false, number).current,
        keyring.recipientTags(number)[0],
        keyring.idempotencyHash(number).current,
        keyring.deviceMac(number).current,
        keyring.codeMac('acc_1', `live\0${number}`).current,
        keyring.codeMac('ver_1', '482913').current,
        keyring.codeMac('ver_2', '482913').current,
        keyring.codeMac('ver_1', '482914').current,
      ];
      assert.equal(new Set(hashes).size, hashes.length);
    });

    test('are made under a key for each purpose, which HKDF derives from the secret', () => {
      for (const [purpose, text, hash] of [
        ['codes', 'ver_1\x00482913', keyring.codeMac('ver_1', '482913').current],
        ['codes', 'ver_1\x00482913', keyring.newCodeMac('ver_1', '482913')],
        ['destinations', `acc_1\0live\0${number}`, keyring.destinationHash('acc_1', false, number).current],
        ['recipients', number, keyring.recipientTags(number)[0]],
        ['idempotency', 'key', keyring.idempotencyHash('key').current],
        ['devices', 'text', keyring.deviceMac('text').current],
        ['client devices', 'text', keyring.clientDeviceHash('text')],
        ['user agents', 'text', keyring.userAgentHash('text')],
      ] as const) {
        const key = Buffer.from(hkdfSync('sha256', NEW, '', `countersign hmac of ${purpose}`, 32));
        const mac = createHmac('sha256', key).update(text).digest('base64url');
        assert.equal(hash, `2~${mac.slice(0, 22)}`, purpose);
      }
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

    test('are 132 bits behind a mark, and hold nothing of what they hash', () => {
      for (const hash of [keyring.idempotencyHash(number).current, keyring.recipientTags(number)[0]]) {
        assert.match(hash, /^2~[\w-]{22}$/);
        assert.doesNotMatch(hash, /15112345678/);
      }
    });
  });

  test('the guard knows a telephone and a household in every spelling, over all accounts', () => {
    const keyring = new Keyring('a secret for these tests only, yes');
    const [tag] = keyring.recipientTags('+12025550123');
    for (const spelt of ['+12025550123', 'tel:+12025550123;ext=7']) {
      assert.equal(keyring.recipientTag(spelt), tag);
    }
    const household = keyring.clientNetworkHash('2001:db8:1:2::9');
    assert.equal(keyring.clientNetworkHash('2001:DB8:1:2:ffff::1'), household);
    assert.notEqual(keyring.clientNetworkHash('2001:db8:1:3::9'), household);
    assert.ok(!household.includes('2001'));
  });
});
