/** Each documented error of a carrier, provoked once over HTTP and held to its class. */
import assert from 'node:assert/strict';
import type { ErrorTable } from '../../src/carriers/gateway/errors.ts';
import type { Carrier, CarrierPorts, OutgoingMessage } from '../../src/core/carrier.ts';
import { message } from './contract.ts';
import { type Reaction, startGateway } from './gateway.ts';

interface Expected {
  create(url: string, ports: CarrierPorts): Carrier;
  /** The gateway's refusal with that error. */
  refuse(code: string): Reaction;
  readonly message?: OutgoingMessage;
  /** The errors of each class, separated by blanks: together all that the table holds. */
  readonly throttled: string;
  readonly temporary: string;
  readonly permanent: string;
  readonly configuration: string;
}

const CLASSES = ['throttled', 'temporary', 'permanent', 'configuration'] as const;

export async function assertErrorTable(table: ErrorTable, expected: Expected): Promise<void> {
  const gateway = await startGateway();
  const complaints: string[] = [];
  const carrier = expected.create(gateway.url, {
    receive: async () => {},
    log: (level, text) => complaints.push(`${level} ${text}`),
  });
  try {
    const asserted: string[] = [];
    for (const errorClass of CLASSES) {
      for (const code of expected[errorClass].split(' ').filter((word) => word !== '')) {
        asserted.push(code);
        gateway.play(expected.refuse(code));
        complaints.length = 0;
        const outcome = await carrier.submit(expected.message ?? message, {
          signal: AbortSignal.timeout(20_000),
        });
        assert.equal(outcome.kind, errorClass === 'permanent' ? 'permanent' : 'temporary', code);
        assert.equal('throttled' in outcome, errorClass === 'throttled', code);
        const told = errorClass === 'configuration' ? 1 : 0;
        assert.equal(complaints.filter((line) => line.startsWith('error ')).length, told, code);
        const reason = 'reason' in outcome ? outcome.reason : '';
        assert.equal(reason, `${code} ${table[code]?.[1]}`);
        for (const text of [reason, ...complaints])
          assert.ok(!text.includes(message.code), 'a text is shown');
      }
    }
    assert.deepEqual(asserted.sort(), Object.keys(table).sort(), 'every error is asserted');
  } finally {
    await carrier.stop();
    await gateway.close();
  }
}
