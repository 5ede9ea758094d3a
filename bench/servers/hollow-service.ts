/** The service's own HTTP server with an empty handler: key check, validation, log line and metrics, but nothing behind. */

import { type FoundKey, UNRESTRICTED } from '../../src/core/accounts/api-key.ts';
import { BASIC_CHANNELS } from '../../src/core/destination/channel.ts';
import { SYSTEM_CLOCK } from '../../src/core/seams/clock.ts';
import { SYSTEM_RANDOM } from '../../src/core/seams/random.ts';
import { Keyring } from '../../src/core/secrets/keyring.ts';
import type { VerifierPort } from '../../src/core/verification/request.ts';
import { createAuthenticator } from '../../src/http/admission/authenticator.ts';
import { createHttpServer } from '../../src/http/server.ts';
import { createLog } from '../../src/telemetry/log.ts';
import { createMetrics, METRICS_TYPE } from '../../src/telemetry/metrics.ts';

const [port, cert = '', key = ''] = process.argv.slice(2);
const { logger, plain } = createLog('info', { clock: SYSTEM_CLOCK });
const metrics = createMetrics({ clock: SYSTEM_CLOCK });
/** Whatever key is asked for. */
const found: FoundKey = {
  id: `key_${'0'.repeat(16)}`,
  accountId: `acc_${'0'.repeat(16)}`,
  name: 'bench',
  test: false,
  prefix: 'cs_live',
  createdAt: 0,
  createdBy: null,
  lastUsedAt: null,
  lastUsedFrom: null,
  expiresAt: null,
  revokedAt: null,
  restrictions: UNRESTRICTED,
  customCodes: false,
  replacedBy: null,
  predecessors: undefined,
  settings: null,
  blockedRanges: [],
};
const { authenticate } = createAuthenticator({
  keys: {
    findKey: async () => found,
    revokeKey: async () => undefined,
    touchKeys: async () => {},
    keysRevision: async () => 0,
  },
  clock: SYSTEM_CLOCK,
  log: logger,
});
const verifier: VerifierPort = {
  channels: BASIC_CHANNELS,
  request: async (_caller, { destination, channel }) => ({
    kind: 'issued',
    id: `ver_${'0'.repeat(32)}`,
    destination,
    channel,
  }),
  findNamedText: () => undefined,
  confirm: async () => ({ kind: 'unknown' }),
};
const app = await createHttpServer(
  {
    clock: SYSTEM_CLOCK,
    random: SYSTEM_RANDOM,
    keyring: new Keyring('a secret of thirty-two bytes or so'),
    verifier: () => verifier,
    authenticate,
    inquire: async () => ({ kind: 'unknown' }),
    giveFeedback: async () => ({ kind: 'unknown' }),
    numbers: {
      check: async () => ({ kind: 'unknown' }),
      findLive: async () => ({ kind: 'unknown' }),
      approve: async () => 'unknown',
      cancel: async () => false,
    },
    messages: async () => ({ ok: true, messages: [] }),
    findNotReady: () => undefined,
    readiness: async () => ({ ready: true, parts: {} }),
    metrics: { ...metrics, contentType: METRICS_TYPE },
    log: logger,
    logRequest: plain,
  },
  { transport: { kind: 'tls', cert, key } },
);
await app.listen({ port: Number(port), host: '127.0.0.1' });
