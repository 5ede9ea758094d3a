/** Provokes each documented error of a carrier once over HTTP, and checks its class. */
import assert from 'node:assert/strict';
import type { ErrorTable } from '../../src/carriers/gateway/errors.ts';
import { SYSTEM_CLOCK } from '../../src/core/seams/clock.ts';
import { SYSTEM_RANDOM } from '../../src/core/seams/random.ts';
import type { Carrier, CarrierPorts, OutgoingMessage } from '../../src/core/sending/carrier.ts';
import { message } from './contract.ts';
import { type Reaction, startGateway } from './gateway.ts';

interface Expected {
  create(url: string, ports: CarrierPorts): Carrier;
  /** The gateway's refusal with that error. */
  refuse(code: string): Reaction;
  readonly message?: OutgoingMessage;
  /** The errors of each class, separated by blanks: together, the whole table. */
  readonly throttled: string;
  readonly temporary: string;
  readonly permanent: string;
  readonly unclear?: string;
  readonly configuration: string;
  readonly coverage?: string;
}

const CLASSES = ['throttled', 'temporary', 'permanent', 'unclear', 'configuration', 'coverage'] as const;

export async function assertErrorTable(table: ErrorTable, expected: Expected): Promise<void> {
  const gateway = await startGateway();
  const complaints: string[] = [];
  const carrier = expected.create(gateway.url, {
    clock: SYSTEM_CLOCK,
    random: SYSTEM_RANDOM,
    receive: async () => {},
    log: (level, text) => complaints.push(`${level} ${text}`),
  });
  try {
    const asserted: string[] = [];
    for (const errorClass of CLASSES) {
      for (const code of (expected[errorClass] ?? '').split(' ').filter((word) => word !== '')) {
        asserted.push(code);
        gateway.play(expected.refuse(code));
        complaints.length = 0;
        const outcome = await carrier.submit(expected.message ?? message, {
          signal: AbortSignal.timeout(20_000),
        });
        const isRefusal = errorClass === 'permanent' || errorClass === 'unclear';
        assert.equal(outcome.kind, isRefusal ? 'permanent' : 'temporary', code);
        assert.equal('throttled' in outcome, errorClass === 'throttled', code);
        // A country that is not enabled must not block the carrier for all others.
        assert.equal('uncounted' in outcome, errorClass === 'coverage', code);
        const isOurs = errorClass === 'configuration' || errorClass === 'coverage';
        const level = isOurs ? 'error' : 'warn';
        assert.equal(complaints.length, isOurs || errorClass === 'unclear' ? 1 : 0, code);
        for (const line of complaints) assert.ok(line.startsWith(`${level} `) && line.includes(code), line);
        const reason = 'reason' in outcome ? outcome.reason : '';
        assert.equal(reason, `${isOurs ? 'account or settings: ' : ''}${code} ${table[code]?.[1]}`);
        for (const text of [reason, ...complaints])
          assert.ok(!text.includes(message.code), 'a text is shown');
      }
    }
    gateway.play(expected.refuse('999'));
    complaints.length = 0;
    await carrier.submit(expected.message ?? message, { signal: AbortSignal.timeout(20_000) });
    assert.equal(complaints.length, 1, 'an error that no table holds is told');
    assert.deepEqual(asserted.sort(), Object.keys(table).sort(), 'every error is asserted');
  } finally {
    await carrier.stop();
    await gateway.close();
  }
}
