import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ReceivedMessage } from './body.ts';
import { parseInbound } from './inbound.ts';

function message(octets: Buffer, rest: Partial<ReceivedMessage> = {}): ReceivedMessage {
  return {
    serviceType: '',
    source: { ton: 1, npi: 1, digits: '4915123456789' },
    destination: { ton: 3, npi: 0, digits: '12345' },
    esmClass: 0,
    validityPeriod: '',
    registeredDelivery: 0,
    dataCoding: 0,
    octets,
    tlvs: new Map(),
    ...rest,
  };
}

const textOf = (octets: Buffer, rest?: Partial<ReceivedMessage>) =>
  parseInbound('smsc', message(octets, rest))?.text;

describe('parseInbound', () => {
  it('reads the text in its alphabet', () => {
    assert.equal(textOf(Buffer.from('Stop')), 'Stop');
    assert.equal(textOf(Buffer.from([0x41, 0x52, 0x52, 0x1f, 0x54, 0x5b])), 'ARRÉTÄ', 'GSM 03.38');
    assert.equal(textOf(Buffer.from('ARRÊT', 'latin1'), { dataCoding: 3 }), 'ARRÊT');
    assert.equal(textOf(Buffer.from('停止', 'utf16le').swap16(), { dataCoding: 8 }), '停止');
    const headed = Buffer.concat([Buffer.from([5, 0, 3, 1, 1, 1]), Buffer.from('STOP')]);
    assert.equal(textOf(headed, { esmClass: 0x40 }), 'STOP', 'behind its header');
  });

  it('is deaf to receipts and acknowledgements, and to senders without a number', () => {
    for (const esmClass of [0x04, 0x08, 0x10, 0x18, 0x20]) {
      assert.equal(textOf(Buffer.from('STOP'), { esmClass }), undefined);
    }
    for (const source of [
      { ton: 5, npi: 0, digits: 'Acme' },
      { ton: 2, npi: 1, digits: '015123456789' },
      { ton: 0, npi: 0, digits: '12345' },
    ]) {
      assert.equal(textOf(Buffer.from('STOP'), { source }), undefined);
    }
  });

  it('never throws', () => {
    for (let octet = 0; octet < 256; octet++) assert.equal(typeof textOf(Buffer.from([octet])), 'string');
    assert.equal(textOf(Buffer.alloc(0)), '');
  });
});
