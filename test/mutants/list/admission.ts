/** Which requests the service takes: by their key, their address and their size. */
import type { Mutant } from '../mutant.ts';

export const ADMISSION: readonly Mutant[] = [
  {
    breaks: 'a revoked key is refused',
    file: 'src/http/admission/authenticator.ts',
    from: 'found === undefined || found.revokedAt !== null ? null',
    to: 'found === undefined ? null',
    tests: ['src/http/admission/authenticator.test.ts'],
  },
  {
    breaks: 'a key with one restriction, of channels or of countries, is held to it',
    file: 'src/http/admission/authenticator.ts',
    from: 'channels.length > 0 || countries.length > 0',
    to: 'channels.length > 0 && countries.length > 0',
    tests: ['test/portal/keys.test.ts'],
  },
  {
    breaks: 'a client does not choose the address that it seems to come from',
    file: 'src/http/proxy/client-address.ts',
    from: 'hops.findLast((remoteAddress)',
    to: 'hops.find((remoteAddress)',
    tests: ['src/http/proxy/client-address.test.ts'],
  },
  {
    breaks: 'without a token only this machine reads the metrics',
    file: 'src/http/routes/operation.ts',
    from: 'if (metricsToken === undefined && isLocal(request)) done();',
    to: 'if (metricsToken === undefined || isLocal(request)) done();',
    tests: ['src/http/routes/operation.test.ts'],
  },
  {
    breaks: 'a body is read up to 16 KiB',
    file: 'src/http/server.ts',
    from: '    bodyLimit: MAX_BODY_BYTES,\n',
    to: '',
    tests: ['src/http/validation.test.ts'],
  },
  {
    breaks: 'a key that is revoked while it is looked up is not remembered',
    file: 'src/http/admission/authenticator.ts',
    from: '    generation++;\n',
    to: '',
    tests: ['src/http/admission/authenticator.test.ts'],
  },
];
