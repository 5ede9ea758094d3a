import type { Mutant } from '../mutant.ts';

const IDLE = ['src/http/idle-connections.test.ts'];
const PROXY = ['src/http/proxy.test.ts'];
const FORWARDED = ['src/http/forwarded.test.ts'];
const AUTHENTICATOR = ['src/http/authenticator.test.ts'];

export const HTTP: readonly Mutant[] = [
  {
    breaks: 'a key looked up before a revocation is not remembered after it',
    file: 'src/http/authenticator.ts',
    from: 'if (begun === generation && revision !== undefined)',
    to: 'if (revision !== undefined)',
    tests: AUTHENTICATOR,
  },
  {
    breaks: 'a key ends at its time',
    file: 'src/http/authenticator.ts',
    from: "if (key.expiresAt <= now) return 'expired';",
    to: '',
    tests: AUTHENTICATOR,
  },
  {
    breaks: 'a key works only from its addresses',
    file: 'src/http/authenticator.ts',
    from: "if (key.isAllowedFrom !== undefined && !key.isAllowedFrom(address)) return 'wrong-source';",
    to: '',
    tests: AUTHENTICATOR,
  },
  {
    breaks: 'requests are turned away while the store has too much to do',
    file: 'src/http/overload.ts',
    from: ' || pending() > maxPending',
    to: '',
    tests: ['src/http/overload.test.ts'],
  },
  {
    breaks: 'the oldest idle connection makes room',
    file: 'src/http/idle-connections.ts',
    from: 'oldest.item.destroy();',
    to: '',
    tests: IDLE,
  },
  {
    breaks: 'a busy connection is not idle',
    file: 'src/http/idle-connections.ts',
    from: '    clients.wake(client);\n    response',
    to: '    response',
    tests: IDLE,
  },
  {
    breaks: 'who has asked is not driven out by who says nothing',
    file: 'src/http/idle-connections.ts',
    from: 'silent.remove(socket);\n      client',
    to: 'client',
    tests: IDLE,
  },
  {
    breaks: 'every hop to the proxy was HTTPS',
    file: 'src/http/proxy.ts',
    from: "if (proto !== 'https' && (back === 1 || proto !== '')) return false;",
    to: "if (proto !== 'https' && back === 1) return false;",
    tests: PROXY,
  },
  {
    breaks: 'only a proxy that is trusted is believed',
    file: 'src/http/proxy.ts',
    from: 'const fault = !isTrustedPeer(request.raw.socket)',
    to: 'const fault = isTrustedPeer === undefined',
    tests: PROXY,
  },
  {
    breaks: 'of two headers each says HTTPS',
    file: 'src/http/proxy.ts',
    from: 'ways.every((way)',
    to: 'ways.some((way)',
    tests: PROXY,
  },
  {
    breaks: 'a header that cannot be read says nothing for the other',
    file: 'src/http/proxy.ts',
    from: 'way === undefined || way.protos.length > 0',
    to: 'way !== undefined && way.protos.length > 0',
    tests: PROXY,
  },
  {
    breaks: 'the nearest proxy says HTTPS itself',
    file: 'src/http/proxy.ts',
    from: "(back === 1 || proto !== '')",
    to: "proto !== ''",
    tests: PROXY,
  },
  {
    breaks: 'what stands before the first proxy of ours is a claim',
    file: 'src/http/proxy.ts',
    from: 'if (from === undefined || !isTrusted(from)) return true;',
    to: 'if (from === undefined) return isTrusted !== undefined;',
    tests: PROXY,
  },
  {
    breaks: 'a refusal is given while the store is away',
    file: 'src/http/proxy.ts',
    from: 'if (error instanceof StoreUnavailable) return undefined;',
    to: '',
    tests: PROXY,
  },
  {
    breaks: 'a parameter of Forwarded stands once in an element',
    file: 'src/http/forwarded.ts',
    from: 'if (element.has(parameter)) return undefined;',
    to: '',
    tests: FORWARDED,
  },
  {
    breaks: 'a Forwarded that is not well-formed is not read in part',
    file: 'src/http/forwarded.ts',
    from: 'if (found === null) return undefined;',
    to: 'if (found === null) return elements;',
    tests: FORWARDED,
  },
  {
    breaks: 'a Forwarded that cannot be read is not passed over',
    file: 'src/http/forwarded.ts',
    from: 'elements === undefined ? [legacy, undefined]',
    to: 'elements === undefined ? [legacy]',
    tests: PROXY,
  },
  {
    breaks: 'where two headers name different clients nobody knows the address',
    file: 'src/http/client-address.ts',
    from: 'others.every((other) => other === address) ? address : UNKNOWN',
    to: 'others.length < 9 ? address : UNKNOWN',
    tests: ['src/http/client-address.test.ts'],
  },
  {
    breaks: 'a key that travelled in clear is revoked',
    file: 'src/http/cleartext.ts',
    from: '!(await revoke(token))',
    to: "token === ''",
    tests: ['src/http/plain-port.test.ts'],
  },
  {
    breaks: 'the metrics ask for their token',
    file: 'src/http/routes/operation.ts',
    from: 'metricsToken !== undefined && areEqual(token, metricsToken)',
    to: 'metricsToken !== undefined',
    tests: ['src/http/routes/operation.test.ts'],
  },
];
