/** The certificate comes from a pair of files, or the service makes it for the names that are given. */
import { isIP } from 'node:net';
import { isHostName } from '../../core/text/host-name.ts';
import type { RuleFinding } from '../problem.ts';
import type { Config } from '../table/schema.ts';

const FILES = { cert: 'certificate chain', key: 'private key' } as const;

export function* checkCertificate({ trustProxy, tls }: Config): Generator<RuleFinding> {
  if (tls === undefined) return;
  if (trustProxy.length > 0) {
    yield {
      key: ['tls'],
      wrong: 'is set together with trustProxy, but then the proxy ends TLS',
      expected: 'one of the two',
      fix: 'remove tls and give the certificate to the proxy, or remove trustProxy',
    };
  }
  for (const [missing, present] of [
    ['cert', 'key'],
    ['key', 'cert'],
  ] as const) {
    if (tls[missing] !== undefined || tls[present] === undefined) continue;
    yield {
      key: ['tls', missing],
      wrong: `is missing, but tls.${present} is set`,
      expected: `the PEM file with the ${FILES[missing]}`,
      fix: `add it, or remove tls.${present} for a certificate that the service makes`,
    };
  }
  if (tls.names.length > 0 && tls.cert !== undefined) {
    yield {
      key: ['tls', 'names'],
      wrong: 'is set together with tls.cert, which already has its names',
      expected: 'one of the two',
      fix: 'remove tls.names, or remove tls.cert and tls.key for a certificate that the service makes',
    };
  }
  for (const [index, name] of tls.names.entries()) {
    if (isName(name)) continue;
    yield {
      key: ['tls', 'names', index],
      wrong: `is ${JSON.stringify(name)}`,
      expected: 'a host name such as countersign or verify.example.com, or an IP address',
      fix: 'correct it; without a port, without wildcards, and in Punycode (xn--...) if it is not ASCII',
    };
  }
}

/** What ends in digits alone is a mistyped address, and an address with a zone (`%eth0`) stands in no certificate. */
function isName(name: string): boolean {
  if (isIP(name) !== 0) return !name.includes('%');
  return isHostName(name.toLowerCase()) && !/(^|\.)\d+$/.test(name);
}
