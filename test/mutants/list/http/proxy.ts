/** What is believed of a proxy, and of what pretends to be one. */
import type { Mutant } from '../../mutant.ts';

const PROXY = ['src/http/proxy/proxy.test.ts'];
const FORWARDED = ['src/http/proxy/forwarded.test.ts'];

export const PROXIES: readonly Mutant[] = [
  {
    breaks: 'a key that came unencrypted as a password is revoked',
    file: 'src/http/proxy/cleartext.ts',
    from: ' ?? basicCredentials(authorization)?.password',
    to: '',
    tests: ['src/http/connection/plain-port.test.ts'],
  },
  {
    breaks: 'every hop to the proxy was HTTPS',
    file: 'src/http/proxy/proxy.ts',
    from: "if (proto !== 'https' && (back === 1 || proto !== '')) return false;",
    to: "if (proto !== 'https' && back === 1) return false;",
    tests: PROXY,
  },
  {
    breaks: 'only a proxy that is trusted is believed',
    file: 'src/http/proxy/proxy.ts',
    from: 'const fault = !isTrustedPeer(request.raw.socket)',
    to: 'const fault = isTrustedPeer === undefined',
    tests: PROXY,
  },
  {
    breaks: 'if there are two headers, both must say HTTPS',
    file: 'src/http/proxy/proxy.ts',
    from: 'ways.every((way)',
    to: 'ways.some((way)',
    tests: PROXY,
  },
  {
    breaks: 'if one of two headers cannot be read, the other does not count',
    file: 'src/http/proxy/proxy.ts',
    from: 'way === undefined || way.protos.length > 0',
    to: 'way !== undefined && way.protos.length > 0',
    tests: PROXY,
  },
  {
    breaks: 'the nearest proxy itself must say HTTPS',
    file: 'src/http/proxy/proxy.ts',
    from: "(back === 1 || proto !== '')",
    to: "proto !== ''",
    tests: PROXY,
  },
  {
    breaks: 'entries from before our first proxy are not trusted',
    file: 'src/http/proxy/proxy.ts',
    from: 'if (from === undefined || !isTrusted(from)) return true;',
    to: 'if (from === undefined) return isTrusted !== undefined;',
    tests: PROXY,
  },
  {
    breaks: 'refusals are answered while the store is unavailable',
    file: 'src/http/proxy/proxy.ts',
    from: 'if (error instanceof StoreUnavailable) return undefined;',
    to: '',
    tests: PROXY,
  },
  {
    breaks: 'a parameter of Forwarded occurs only once in an element',
    file: 'src/http/proxy/forwarded.ts',
    from: 'if (element.has(parameter)) return undefined;',
    to: '',
    tests: FORWARDED,
  },
  {
    breaks: 'a malformed Forwarded header is not read in part',
    file: 'src/http/proxy/forwarded.ts',
    from: 'if (found === null) return undefined;',
    to: 'if (found === null) return elements;',
    tests: FORWARDED,
  },
  {
    breaks: 'a Forwarded header that cannot be read is not ignored',
    file: 'src/http/proxy/forwarded.ts',
    from: 'elements === undefined ? [legacy, undefined]',
    to: 'elements === undefined ? [legacy]',
    tests: PROXY,
  },
  {
    breaks: 'an address with a port in X-Forwarded-For is the address',
    file: 'src/http/proxy/forwarded.ts',
    from: "readList(headers['x-forwarded-for']).map(readNode)",
    to: "readList(headers['x-forwarded-for'])",
    tests: ['src/http/proxy/client-address.test.ts'],
  },
  {
    breaks: "if two headers name different clients, the client's address is unknown",
    file: 'src/http/proxy/client-address.ts',
    from: 'others.every((other) => other === address) ? address : UNKNOWN',
    to: 'others.length < 9 ? address : UNKNOWN',
    tests: ['src/http/proxy/client-address.test.ts'],
  },
  {
    breaks: 'a key that was sent unencrypted is revoked',
    file: 'src/http/proxy/cleartext.ts',
    from: '!(await revoke(token))',
    to: "token === ''",
    tests: ['src/http/connection/plain-port.test.ts'],
  },
  {
    breaks: 'the other end of a connection that is no proxy is the client',
    file: 'src/http/proxy/client-address.ts',
    from: 'const hops = [...way.froms, peer];',
    to: 'const hops = [...way.froms];',
    tests: ['src/http/proxy/client-address.test.ts'],
  },
  {
    breaks: 'an address that a header claims is cut off before it is stored',
    file: 'src/http/proxy/client-address.ts',
    from: '.slice(0, 64) ||',
    to: '||',
    tests: ['src/http/proxy/client-address.test.ts'],
  },
];
