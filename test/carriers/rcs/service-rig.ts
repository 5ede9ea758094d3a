/** The whole service, which sends RCS and goes on by SMS where that does not reach: what tests of each carrier begin with. */
import assert from 'node:assert/strict';
import { THEN } from '../../../src/core/sending/routing.ts';
import { eventually, freshNumber } from '../../acceptance/client.ts';
import { envOf, type StoreKind } from '../../doors/doors.ts';
import { type GatewayMessage, openGateway } from '../../faults/gateway.ts';
import { startReloadable } from '../../reload/rig.ts';
import type { Service } from '../../service.ts';

const DEADLINE_MS = 30_000;

/** Those of RCS, by their names. */
type Carriers = Readonly<Record<string, object>>;

export interface RcsService extends AsyncDisposable {
  readonly service: Service;
  /** Every text that the next channel sent, in order. */
  readonly texts: readonly GatewayMessage[];
  byText(number: string): readonly GatewayMessage[];
  /** Asks for a code over RCS. */
  ask(number?: string): Promise<{ readonly id: string; readonly number: string }>;
  confirm(id: string, code: string): Promise<number>;
  wait<T>(look: () => T | undefined | Promise<T | undefined>): Promise<T>;
  statesOf(id: string): Promise<readonly string[]>;
  /** Waits until the attempts are in these states. */
  until(id: string, states: string): Promise<unknown>;
  /** A callback of a carrier; resolves with the status of the answer. */
  tell(carrier: string, raw: string, headers: Record<string, string>): Promise<number>;
  /** From now on RCS goes over these. */
  reload(carriers: Carriers): Promise<void>;
}

export const codeIn = (text = '') => /\d{8}/.exec(text)?.[0] ?? '';

/** @param after how long RCS has before it goes on */
export async function startRcs(
  kind: StoreKind,
  carriers: Carriers,
  after: string,
  env: Readonly<Record<string, string>> = {},
): Promise<RcsService> {
  await using parts = new AsyncDisposableStack();
  const sms = parts.use(await openGateway());
  const over = (those: Carriers) => ({
    publicUrl: 'https://verify.example.com',
    limits: { requestsPerKey: [] },
    code: { length: 8 },
    delivery: { lease: '5s' },
    carriers: { ...those, gateway: sms.carrier },
    routes: [
      {
        ...{ channel: 'rcs', carriers: Object.keys(those) },
        [THEN]: { channel: 'sms', carriers: ['gateway'], after },
      },
      { channel: 'sms', carriers: ['simulator'] },
    ],
  });
  const { service, reload } = parts.use(
    await startReloadable(over(carriers), { ...(await envOf(kind, parts)), ...env }),
  );
  const { client } = service;
  const opened = parts.move();
  const rcs: RcsService = {
    ...{ service, texts: sms.received },
    byText: (number) => sms.received.filter(({ to }) => to === number),
    async ask(number = freshNumber()) {
      const { status, json, text } = await client.verify(number, 'rcs');
      assert.equal(status, 200, text);
      assert.equal(json.channel, 'rcs');
      return { id: json.id ?? '', number };
    },
    confirm: async (id, code) => (await client.confirm(id, code)).status,
    async wait(look) {
      const found = await eventually(async () => look(), DEADLINE_MS);
      assert.ok(found !== undefined, service.logs());
      return found;
    },
    async statesOf(id) {
      const { json } = await client.get(`/verifications/${id}`);
      return (json.attempts ?? []).map(({ channel, state }) => `${channel} ${state}`);
    },
    until: (id, states) =>
      rcs.wait(async () => ((await rcs.statesOf(id)).join() === states ? true : undefined)),
    tell: async (carrier, raw, headers) =>
      (await client.post(`/carriers/${carrier}/receipts`, undefined, { raw, key: null, headers })).status,
    async reload(those) {
      const { ok, problems } = await reload(over(those));
      assert.deepEqual([ok, problems], [true, []]);
    },
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  };
  return rcs;
}
