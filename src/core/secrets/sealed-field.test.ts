import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { createVerifierRig } from '../verification/fixture.ts';
import { openField, sealField } from './sealed-field.ts';

suite('sealed fields', () => {
  test('where the columns of a verification are swapped, neither opens', async () => {
    const rig = createVerifierRig();
    await rig.ask();
    const [v] = rig.issued;
    assert.ok(v !== undefined);
    assert.throws(() => openField(rig.keyring, v.codeSealed, v.id, 'destination'));
    assert.throws(() => openField(rig.keyring, v.destinationSealed, v.id, 'code'));
    rig.answerConfirm = async () => ({
      kind: 'confirmed',
      channel: 'sms',
      country: 'DE',
      carrier: null,
      createdAt: v.createdAt,
      destinationSealed: v.codeSealed,
      clientNetwork: null,
    });
    await assert.rejects(
      rig.verifier.confirm({ keyId: 'key_1', accountId: 'acc_1', test: false }, v.id, '482913'),
    );
  });

  test('a field of one verification does not open in another', () => {
    const { keyring } = createVerifierRig();
    const sealed = sealField(keyring, '482913', 'ver_1', 'code');
    assert.equal(openField(keyring, sealed, 'ver_1', 'code'), '482913');
    assert.throws(() => openField(keyring, sealed, 'ver_2', 'code'));
  });

  test('what is sealed for a whole verification opens in none of its fields', () => {
    const { keyring } = createVerifierRig();
    const sealed = keyring.seal('482913', 'ver_1');
    assert.throws(() => openField(keyring, sealed, 'ver_1', 'code'));
  });
});
