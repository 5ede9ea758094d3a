import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { Address, ReceivedMessage } from './body.ts';
import { decodeNumber, parseReceipt } from './receipt.ts';
import { canonicalReference, spellings } from './reference.ts';

const TEXT =
  'id:0000000017 sub:001 dlvrd:000 submit date:2611202258 done date:2611202258 stat:STAT err:00A text:x';

function message(text: string | Buffer, rest: Partial<ReceivedMessage> = {}): ReceivedMessage {
  const source = { ton: 1, npi: 1, digits: '4915123456789' };
  const address = { ton: 5, npi: 0, digits: 'Acme' };
  return {
    serviceType: '',
    source,
    destination: address,
    esmClass: 0x04,
    validityPeriod: '',
    registeredDelivery: 0,
    dataCoding: 0,
    octets: Buffer.from(text),
    tlvs: new Map(),
    ...rest,
  };
}

const read = (text: string | Buffer, rest?: Partial<ReceivedMessage>, manners = {}) =>
  parseReceipt('smsc', message(text, rest), { own: new Set(), unmarked: false, ...manners });
const parse = (...given: Parameters<typeof read>) => {
  const receipt = read(...given);
  return receipt === 'unreadable' ? undefined : receipt;
};
const withState = (stat: string) => parse(TEXT.replace('STAT', stat));
const parameters = (id: string, state: number) =>
  new Map([
    [0x001e, Buffer.from(`${id}\0`)],
    [0x0427, Buffer.from([state])],
  ]);

const ucs2 = (text: string) => Buffer.from(text, 'utf16le').swap16();
const ALPHABETS: readonly (readonly [string, (text: string) => Buffer])[] = [
  ['ASCII', (text) => Buffer.from(text)],
  ['UCS-2', ucs2],
  ['UCS-2 with a mark', (text) => ucs2(`\ufeff${text}`)],
  ['little-endian UCS-2', (text) => Buffer.from(text, 'utf16le')],
];
const HEADER = Buffer.from([6, 8, 4, 0, 7, 1, 1]);
const PLACES: readonly ((octets: Buffer) => Partial<ReceivedMessage>)[] = [
  (octets) => ({ octets }),
  (octets) => ({ octets: Buffer.alloc(1), tlvs: new Map([[0x0424, octets]]) }),
  (octets) => ({ esmClass: 0x44, octets: Buffer.concat([HEADER, octets]) }),
  // Marked as having a header that it has not.
  (octets) => ({ esmClass: 0x44, octets }),
];

describe('parseReceipt', () => {
  it('reads the text', () => {
    assert.deepEqual(withState('UNDELIV'), {
      carrier: 'smsc',
      references: ['0000000017', '17', '11', '23'],
      recipients: ['+4915123456789'],
      status: 'undelivered',
      reason: 'UNDELIV 00A',
    });
    assert.deepEqual(withState('DELIVRD')?.status, 'delivered');
  });

  for (const stat of ['UNDELIV', 'EXPIRED', 'REJECTD', 'DELETED', 'UNKNOWN', 'undeliverable', 'FAILED']) {
    it(`takes ${stat} for undelivered`, () => assert.equal(withState(stat)?.status, 'undelivered'));
  }
  for (const stat of ['ENROUTE', 'ACCEPTD', 'BUFFRED', 'whatever', '']) {
    it(`takes ${stat || 'no state'} for no receipt`, () => assert.equal(withState(stat), undefined));
  }

  it('prefers the parameters to the text', () => {
    const receipt = parse(TEXT.replace('STAT', 'DELIVRD'), { tlvs: parameters('AB', 5) });
    assert.equal(receipt?.status, 'undelivered');
    assert.deepEqual(receipt?.references, ['AB', 'ab', '171', '0000000017', '17', '11', '23']);
    assert.equal(parse('', { tlvs: parameters('7', 2) })?.status, 'delivered');
    assert.equal(parse('', { tlvs: parameters('7', 1) }), undefined);
    assert.equal(parse('', { tlvs: parameters('', 2) }), undefined);
  });

  it('believes no message that a telephone could have written', () => {
    const forged = TEXT.replace('STAT', 'UNDELIV');
    assert.equal(parse(forged, { esmClass: 0 }), undefined);
    assert.equal(parse(forged, { esmClass: 0x40 }), undefined);
    assert.notEqual(parse(forged, { esmClass: 0, tlvs: parameters('17', 2) }), undefined);
  });

  it('believes it of an SMSC that marks none, if it begins as a receipt does', () => {
    const unmarked = { unmarked: true };
    const text = TEXT.replace('STAT', 'UNDELIV');
    assert.equal(parse(text, { esmClass: 0 }, unmarked)?.status, 'undelivered');
    for (const other of [`Hello, ${text}`, 'id:17', 'stat:DELIVRD id:17', 'id: stat:DELIVRD', '']) {
      assert.equal(parse(other, { esmClass: 0 }, unmarked), undefined, other);
    }
    assert.equal(parse(text, { esmClass: 0x08 }, unmarked), undefined);
  });

  it('takes either address for the recipient, but never our own', () => {
    const [telephone, ours, other] = ['4915123456789', '491570006', '491579999'].map((digits) => {
      return { ton: 1, npi: 1, digits };
    });
    assert.ok(telephone && ours && other);
    const between = (source: Address, destination: Address) =>
      parse('id:9 stat:DELIVRD', { source, destination }, { own: new Set([decodeNumber(ours) ?? '']) })
        ?.recipients;
    assert.deepEqual(between(telephone, ours), ['+4915123456789']);
    assert.deepEqual(between(ours, telephone), ['+4915123456789']);
    assert.deepEqual(between(other, telephone), ['+491579999', '+4915123456789']);
    assert.equal(between(ours, { ton: 0, npi: 0, digits: '015123456789' }), undefined);
  });

  it('takes acknowledgements of telephones and intermediate notifications for no receipts', () => {
    for (const esmClass of [0x08, 0x10, 0x18, 0x20]) {
      assert.equal(
        parse(TEXT.replace('STAT', 'DELIVRD'), { esmClass, tlvs: parameters('17', 2) }),
        undefined,
      );
    }
  });

  it('looks for nothing in the quoted message', () => {
    assert.equal(parse('id:17 sub:001 text:id:18 stat:DELIVRD'), undefined);
  });

  it('passes over a user data header', () => {
    const text = Buffer.concat([Buffer.from([5, 0, 3, 7, 1, 1]), Buffer.from('id:9 stat:DELIVRD')]);
    assert.deepEqual(parse(text, { esmClass: 0x44 })?.references, ['9']);
    assert.equal(parse(Buffer.from([200, 1]), { esmClass: 0x44 }), undefined);
  });

  it('reads UCS-2', () => {
    const octets = Buffer.from('id:9 stat:DELIVRD', 'utf16le').swap16();
    assert.deepEqual(parse(octets, { dataCoding: 8 })?.references, ['9']);
  });

  it('reads a marked receipt in whatever alphabet, however it is labelled', () => {
    const id = fc.string({
      unit: fc.constantFrom(...'0123456789abcdefABCDEF-_.'),
      minLength: 1,
      maxLength: 20,
    });
    const state = fc.constantFrom('DELIVRD', 'UNDELIV', 'EXPIRED', 'REJECTD');
    const quoted = fc.constantFrom('', ' text:Код 48', ' text:482913 @ Acme');
    const places = fc.constantFrom(...PLACES);
    const label = fc.integer({ min: 0, max: 255 });
    fc.assert(
      fc.property(
        ...[id, state, quoted, fc.constantFrom(...ALPHABETS), label, places],
        (id, state, quoted, [, encode], dataCoding, place) => {
          const octets = encode(`id:${id} sub:001 done date:2611202258 stat:${state} err:00A${quoted}`);
          const receipt = parse('', { dataCoding, ...place(octets) });
          assert.equal(receipt?.references[0], id);
          assert.equal(receipt.status, state === 'DELIVRD' ? 'delivered' : 'undelivered');
          if (state !== 'DELIVRD') assert.equal(receipt.reason, `${state} 00A`);
        },
      ),
    );
  });

  it('takes the id from the parameter and the state from the text, in whatever alphabet', () => {
    const tlvs = new Map([[0x001e, Buffer.from('17\0')]]);
    for (const [name, encode] of ALPHABETS) {
      for (const dataCoding of [0, 3, 8, 0x18, 0x19]) {
        const octets = encode('stat:UNDELIV err:001');
        assert.equal(parse(octets, { dataCoding, tlvs })?.reason, 'UNDELIV 001', `${name} as ${dataCoding}`);
      }
    }
  });

  it('reads a state whose key is missing, or spelled otherwise', () => {
    const statusOf = (text: string) => parse(text)?.status;
    assert.equal(statusOf('id:17 sub:001 done date:2611202258 DELIVRD err:000'), 'delivered');
    assert.equal(statusOf('id:17 done date:2611202258 UNDELIV err:001 text:DELIVRD'), 'undelivered');
    assert.equal(statusOf('id:17 status:EXPIRED err:001'), 'undelivered');
    assert.equal(statusOf('id:17 ENROUTE err:000'), undefined);
    for (const other of [
      'id:17 stat:ENROUTE DELIVRD',
      'id:17 sub:001 err:UNKNOWN',
      'id:17 err: FAILED text:x',
      'id:17 sub:001 text:DELIVRD',
      'id:DELIVRD sub:001',
    ]) {
      assert.equal(statusOf(other), undefined, other);
    }
  });

  it('names the recipient only where the number is international', () => {
    const from = (ton: number, digits: string) =>
      parse('id:9 stat:DELIVRD', { source: { ton, npi: 1, digits } })?.recipients;
    assert.deepEqual(from(0, '+4915123456789'), ['+4915123456789']);
    assert.equal(from(0, '4915123456789'), undefined);
    assert.equal(from(2, '015123456789'), undefined);
    assert.equal(from(1, ''), undefined);
  });

  it('tells one that cannot be read from a state on the way, and from what is no receipt', () => {
    for (const text of ['', 'hello', 'stat:DELIVRD', 'id:17', 'id:17 stat:WHATEVER']) {
      assert.equal(read(text), 'unreadable', text);
    }
    assert.equal(read('', { tlvs: parameters('17', 99) }), 'unreadable');
    for (const state of ['ENROUTE', 'ACCEPTD', 'BUFFRED', 'SCHEDULED', 'ACCEPTED']) {
      assert.equal(read(`id:17 stat:${state}`), undefined, state);
    }
    for (const esmClass of [0, 0x08, 0x10, 0x20]) assert.equal(read('id:17', { esmClass }), undefined);
  });

  it('never throws', () => {
    const octets = fc.uint8Array({ maxLength: 60 }).map((octets) => Buffer.from(octets));
    const tlvs = fc
      .array(fc.tuple(fc.constantFrom(0x001e, 0x0427), octets))
      .map((entries) => new Map(entries));
    const octet = fc.integer({ min: 0, max: 255 });
    const fields = fc.record({ octets, tlvs, esmClass: octet, dataCoding: octet });
    fc.assert(fc.property(fields, fc.boolean(), (rest, unmarked) => void parse('', rest, { unmarked })));
  });
});

describe('references', () => {
  it('finds the remembered spelling in every spelling of a number', () => {
    const id = fc.bigInt({ min: 1n, max: 2n ** 64n - 1n });
    fc.assert(
      fc.property(
        id,
        fc.nat(20),
        fc.nat(20),
        fc.boolean(),
        fc.boolean(),
        fc.boolean(),
        (id, a, b, x, y, upper) => {
          const spell = (hex: boolean, zeros: number) => {
            const text = '0'.repeat(zeros) + id.toString(hex ? 16 : 10);
            return upper ? text.toUpperCase() : text;
          };
          assert.ok(spellings(spell(x, a)).includes(canonicalReference(spell(y, b))));
        },
      ),
    );
  });

  it('leaves other ids as they are', () => {
    assert.equal(canonicalReference('00-Xy_7'), '00-Xy_7');
    assert.deepEqual(spellings('00-Xy_7'), ['00-Xy_7']);
    assert.equal(canonicalReference('0000'), '0');
    assert.deepEqual(spellings('f'.repeat(17)), ['f'.repeat(17)]);
  });
});
