/** The certificate of the first start: X.509 (RFC 5280), self-signed, for this machine. */
// The library below needs it when it loads.
import 'reflect-metadata';
import { KeyObject, webcrypto } from 'node:crypto';
import { isIP } from 'node:net';
import { hostname } from 'node:os';
import { domainToASCII } from 'node:url';
import {
  AuthorityKeyIdentifierExtension,
  BasicConstraintsExtension,
  ExtendedKeyUsage,
  ExtendedKeyUsageExtension,
  KeyUsageFlags,
  KeyUsagesExtension,
  SubjectAlternativeNameExtension,
  SubjectKeyIdentifierExtension,
  X509CertificateGenerator,
} from '@peculiar/x509';
import type { KeyPair } from './key-pair.ts';

export interface Validity {
  readonly from: Date;
  readonly until: Date;
}

/** For `localhost`, this machine's name, the loopback addresses, and these host names and addresses, with a P-256 key. */
export async function makeSelfSigned(
  { from, until }: Validity,
  wanted: readonly string[] = [],
): Promise<KeyPair> {
  const keys = await webcrypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, true, [
    'sign',
    'verify',
  ]);
  const own = ['localhost', domainToASCII(hostname()), '127.0.0.1', '::1'].filter((name) => name !== '');
  const names = [...new Set([...own, ...wanted.map(spell)])];
  const certificate = await X509CertificateGenerator.createSelfSigned({
    name: 'CN=localhost',
    keys,
    notBefore: from,
    notAfter: until,
    extensions: [
      new BasicConstraintsExtension(false),
      new KeyUsagesExtension(KeyUsageFlags.digitalSignature, true),
      new ExtendedKeyUsageExtension([ExtendedKeyUsage.serverAuth]),
      new SubjectAlternativeNameExtension(
        names.map((value) => ({ type: isIP(value) === 0 ? ('dns' as const) : ('ip' as const), value })),
      ),
      // All have one subject. Of several that a client trusts, these say which one this is (RFC 5280, 4.2.1.1 and 4.2.1.2).
      await SubjectKeyIdentifierExtension.create(keys.publicKey),
      await AuthorityKeyIdentifierExtension.create(keys.publicKey),
    ],
  });
  return {
    cert: `${certificate.toString('pem')}\n`,
    key: KeyObject.from(keys.privateKey).export({ type: 'pkcs8', format: 'pem' }).toString(),
  };
}

/** In the spelling of URLs: the library misreads IPv6 addresses that end in the dots of an IPv4 one. */
function spell(name: string): string {
  return isIP(name) === 6 ? new URL(`http://[${name}]`).hostname.slice(1, -1) : name.toLowerCase();
}
