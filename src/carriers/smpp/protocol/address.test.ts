import assert from 'node:assert/strict';
import { it } from 'node:test';
import { recipientAddress, senderAddresses } from './address.ts';

const senders: [source: string, ton: number, npi: number, digits: string][] = [
  ['Acme', 5, 0, 'Acme'],
  ['7-Eleven', 5, 0, '7-Eleven'],
  ['12345', 3, 0, '12345'],
  ['+4915123456789', 1, 1, '4915123456789'],
  ['4915123456789', 1, 1, '4915123456789'],
  ['+290512', 1, 1, '290512'],
  ['', 0, 0, ''],
];
for (const [source, ton, npi, digits] of senders) {
  it(`sends from ${source} as type ${ton}`, () => {
    assert.deepEqual(senderAddresses({ source })('DE'), { ton, npi, digits });
    assert.deepEqual(senderAddresses({ source, sourceTon: 0, sourceNpi: 8 })('DE'), {
      ton: 0,
      npi: 8,
      digits,
    });
  });
}

it('sends to international numbers without their +', () => {
  assert.deepEqual(recipientAddress('+4915123456789'), { ton: 1, npi: 1, digits: '4915123456789' });
});
