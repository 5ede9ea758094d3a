/** Connections: which are closed to make room, and what TLS shows. */
import type { Mutant } from '../../mutant.ts';

const IDLE = ['src/http/connection/idle-connections.test.ts'];

export const CONNECTIONS: readonly Mutant[] = [
  {
    breaks: 'work that fails when it is over says nothing',
    file: 'src/core/seams/repeat.ts',
    from: '(timer === undefined ? 0 : fail(error))',
    to: 'fail(error)',
    tests: ['src/core/seams/repeat.test.ts'],
  },
  {
    breaks: 'a start with few file descriptors says so',
    file: 'src/telemetry/descriptors.ts',
    from: 'if (limit < needed) {',
    to: 'if (limit < 0) {',
    tests: ['test/faults/descriptors.test.ts'],
  },
  {
    breaks: 'a service without a free file descriptor says so',
    file: 'src/telemetry/descriptors.ts',
    from: 'if (!isOut(error)) return EVERY_MS;',
    to: 'if (limit > 0) return EVERY_MS;',
    tests: ['test/faults/descriptors.test.ts'],
  },
  {
    breaks: 'the oldest idle connection makes room',
    file: 'src/http/connection/idle-connections.ts',
    from: 'oldest.item.destroy();',
    to: '',
    tests: IDLE,
  },
  {
    breaks: 'of the idle connections, the one that has been idle longest is closed',
    file: 'src/http/connection/idle-connections.ts',
    from: '(client.restsSince ?? Infinity) < (oldest',
    to: '(client.restsSince ?? 0) > (oldest',
    tests: IDLE,
  },
  {
    breaks: 'a busy connection is not idle',
    file: 'src/http/connection/idle-connections.ts',
    from: '    clients.wake(client);\n    response',
    to: '    response',
    tests: IDLE,
  },
  {
    breaks: 'silent connections do not displace those that have sent a request',
    file: 'src/http/connection/idle-connections.ts',
    from: 'leave(addressOf(socket));\n      client',
    to: 'client',
    tests: IDLE,
  },
  {
    breaks: 'the metrics tell when the renewed certificate expires, not the one before',
    file: 'src/http/server.ts',
    from: 'deps.metrics.certificateUntil(validUntil(renewed));',
    to: '',
    tests: ['src/http/connection/tls.test.ts'],
  },
  {
    breaks: 'a connection that is closed does not rest',
    file: 'src/http/connection/idle-connections.ts',
    from: 'if (client.socket.destroyed) return;',
    to: '',
    tests: IDLE,
  },
  {
    breaks: 'a certificate that lacks a name of tls.names is made again',
    file: 'src/http/connection/tls.ts',
    from: 'kept !== undefined && lacking.length === 0',
    to: 'kept !== undefined',
    tests: ['src/http/connection/tls.test.ts'],
  },
  {
    breaks: 'plain.revokeKeys: false leaves keys alone',
    file: 'src/http/connection/plain-port.ts',
    from: 'revoke: plain.revokeKeys ? revoke : undefined',
    to: 'revoke',
    tests: ['test/acceptance/transport.test.ts'],
  },
];
