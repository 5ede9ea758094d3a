/** The certificate of the first start: X.509 (RFC 5280) for this machine, signed by itself, in as much DER as that takes. */
import { generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import { hostname } from 'node:os';
import { domainToASCII } from 'node:url';
import type { KeyPair } from './tls.ts';

export interface Validity {
  readonly from: Date;
  readonly until: Date;
}

/** Tags of ITU-T X.690, section 8; those from 0x80 on mean what their context says. */
const TAG = {
  boolean: 0x01,
  integer: 0x02,
  bitString: 0x03,
  octetString: 0x04,
  objectId: 0x06,
  utf8String: 0x0c,
  utcTime: 0x17,
  generalizedTime: 0x18,
  sequence: 0x30,
  set: 0x31,
  version: 0xa0,
  extensions: 0xa3,
  dnsName: 0x82,
  ipAddress: 0x87,
} as const;

const OID = {
  ecdsaWithSha256: '1.2.840.10045.4.3.2',
  commonName: '2.5.4.3',
  basicConstraints: '2.5.29.19',
  keyUsage: '2.5.29.15',
  extendedKeyUsage: '2.5.29.37',
  subjectAltName: '2.5.29.17',
  serverAuth: '1.3.6.1.5.5.7.3.1',
} as const;

/** Good for `localhost`, this machine's name and the loopback addresses; the key is one of P-256. */
export function makeSelfSigned({ from, until }: Validity): KeyPair {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const algorithm = sequence(objectId(OID.ecdsaWithSha256));
  const name = sequence(der(TAG.set, sequence(objectId(OID.commonName), text(TAG.utf8String, 'localhost'))));
  const facts = sequence(
    der(TAG.version, der(TAG.integer, Buffer.of(2))),
    // Positive, and without a zero in front that DER would forbid.
    der(TAG.integer, Buffer.concat([Buffer.of(0x40), randomBytes(15)])),
    algorithm,
    name,
    sequence(time(from), time(until)),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(TAG.extensions, sequence(...extensions())),
  );
  const certificate = sequence(facts, algorithm, bits(sign('sha256', facts, privateKey)));
  const lines = certificate.toString('base64').replace(/.{64}(?!$)/g, '$&\n');
  return {
    cert: `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`,
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  };
}

function extensions(): Buffer[] {
  const names = new Set(['localhost', domainToASCII(hostname())].filter((name) => name !== ''));
  const addresses = [Buffer.of(127, 0, 0, 1), Buffer.concat([Buffer.alloc(15), Buffer.of(1)])];
  return [
    extension(OID.basicConstraints, sequence()),
    // The first bit: digitalSignature. Seven of the octet's are unused.
    extension(OID.keyUsage, der(TAG.bitString, Buffer.of(7, 0x80)), 'critical'),
    extension(OID.extendedKeyUsage, sequence(objectId(OID.serverAuth))),
    extension(
      OID.subjectAltName,
      sequence(
        ...[...names].map((name) => text(TAG.dnsName, name)),
        ...addresses.map((address) => der(TAG.ipAddress, address)),
      ),
    ),
  ];
}

function extension(id: string, value: Buffer, critical?: 'critical'): Buffer {
  const flag = critical === undefined ? [] : [der(TAG.boolean, Buffer.of(0xff))];
  return sequence(objectId(id), ...flag, der(TAG.octetString, value));
}

/** Tag, length, content. */
function der(tag: number, ...parts: readonly Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  return Buffer.concat([Buffer.of(tag, ...lengthOf(content)), content]);
}

/** Up to 127 in an octet; longer ones as octets whose number goes before them (X.690, section 8.1.3). */
function lengthOf({ length }: Buffer): number[] {
  if (length < 0x80) return [length];
  return length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
}

function sequence(...parts: readonly Buffer[]): Buffer {
  return der(TAG.sequence, ...parts);
}

function text(tag: number, value: string): Buffer {
  return der(tag, Buffer.from(value));
}

function bits(value: Buffer): Buffer {
  return der(TAG.bitString, Buffer.of(0), value);
}

/** The first two arcs share an octet; of the others each octet but the last has its high bit set (X.690, section 8.19). */
function objectId(id: string): Buffer {
  const [first = 0, second = 0, ...rest] = id.split('.').map(Number);
  const octets = [first * 40 + second, ...rest].flatMap((arc) => {
    const digits = [arc & 0x7f];
    for (let left = arc >> 7; left > 0; left >>= 7) digits.unshift(0x80 | (left & 0x7f));
    return digits;
  });
  return der(TAG.objectId, Buffer.from(octets));
}

/** Years before 2050 in two digits, later ones in four (RFC 5280, section 4.1.2.5). */
function time(at: Date): Buffer {
  const digits = `${at.toISOString().replace(/\D/g, '').slice(0, 14)}Z`;
  return at.getUTCFullYear() < 2050 ? text(TAG.utcTime, digits.slice(2)) : text(TAG.generalizedTime, digits);
}
