import assert from 'node:assert/strict';
import { CARRIER_TYPES } from '../../src/carriers/all-types.ts';
import { loadText } from '../../src/config/fixture.ts';
import { SYSTEM_CLOCK } from '../../src/core/seams/clock.ts';
import { SYSTEM_RANDOM } from '../../src/core/seams/random.ts';
import type { Carrier, CarrierPorts } from '../../src/core/sending/carrier.ts';
import { typeOf } from '../../src/options/carrier-type.ts';

/** Makes the carrier of a recipe, with other addresses of the gateway and of its receipts. */
export async function withCarrier(
  yaml: string,
  { gateway, receipts }: { readonly gateway: string; readonly receipts: string },
  use: (carrier: Carrier) => Promise<void>,
): Promise<void> {
  const { carriers } = loadText(yaml.replace(/https?:\/\/(?!verify)[^/\s"]+/, gateway));
  const options = Object.values(carriers).find(({ type }) => type === 'http');
  assert.ok(options !== undefined);
  const ports: CarrierPorts = {
    clock: SYSTEM_CLOCK,
    random: SYSTEM_RANDOM,
    receive: async () => {},
    log: () => {},
    callbackUrl: receipts,
  };
  const carrier = (await typeOf(CARRIER_TYPES, options).load()).create('gateway', options, ports);
  await use(carrier).finally(() => carrier.stop());
}
