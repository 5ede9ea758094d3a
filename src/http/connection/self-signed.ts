/** The certificate of the first start: X.509 (RFC 5280), self-signed, for this machine. */
// The library below needs it when it loads.
import 'reflect-metadata';
import { KeyObject, webcrypto } from 'node:crypto';
import { hostname } from 'node:os';
import { domainToASCII } from 'node:url';
import {
  BasicConstraintsExtension,
  ExtendedKeyUsage,
  ExtendedKeyUsageExtension,
  KeyUsageFlags,
  KeyUsagesExtension,
  SubjectAlternativeNameExtension,
  X509CertificateGenerator,
} from '@peculiar/x509';
import type { KeyPair } from './key-pair.ts';

export interface Validity {
  readonly from: Date;
  readonly until: Date;
}

/** For `localhost`, this machine's name and the loopback addresses, with a P-256 key. */
export async function makeSelfSigned({ from, until }: Validity): Promise<KeyPair> {
  const keys = await webcrypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, true, [
    'sign',
    'verify',
  ]);
  const names = new Set(['localhost', domainToASCII(hostname())].filter((name) => name !== ''));
  const certificate = await X509CertificateGenerator.createSelfSigned({
    name: 'CN=localhost',
    keys,
    notBefore: from,
    notAfter: until,
    extensions: [
      new BasicConstraintsExtension(false),
      new KeyUsagesExtension(KeyUsageFlags.digitalSignature, true),
      new ExtendedKeyUsageExtension([ExtendedKeyUsage.serverAuth]),
      new SubjectAlternativeNameExtension([
        ...[...names].map((value) => ({ type: 'dns' as const, value })),
        ...['127.0.0.1', '::1'].map((value) => ({ type: 'ip' as const, value })),
      ]),
    ],
  });
  return {
    cert: `${certificate.toString('pem')}\n`,
    key: KeyObject.from(keys.privateKey).export({ type: 'pkcs8', format: 'pem' }).toString(),
  };
}
