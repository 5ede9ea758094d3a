/** Makes the carriers of a configuration. */
import type { Clock, Timer } from '../core/seams/clock.ts';
import type { Random } from '../core/seams/random.ts';
import type { Carrier, CarrierPorts } from '../core/sending/carrier.ts';
import type { AnyCarrierOptions } from '../options/carrier-type.ts';
import { loadTypeOf } from './registry.ts';

const NO_TIMER: Timer = { unref: () => NO_TIMER, [Symbol.dispose]() {} };
const STOPPED: Clock = {
  ...{ now: () => 0, wall: () => 0, steady: () => 0 },
  ...{ after: () => NO_TIMER, every: () => NO_TIMER },
};
const NIL = '00000000-0000-0000-0000-000000000000';
const DRAWS_NOTHING: Random = {
  bytes: (count) => Buffer.alloc(count),
  ...{ below: () => 0, fraction: () => 0, uuid: () => NIL, orderedUuid: () => NIL },
};

/** For carriers that are only inspected and never started. Whoever has them checked gives them a clock that goes. */
export const INERT: CarrierPorts = {
  ...{ clock: STOPPED, random: DRAWS_NOTHING },
  ...{ receive: async () => {}, log: () => {} },
};

interface ConfiguredCarriers {
  readonly carriers: Readonly<Record<string, AnyCarrierOptions>>;
}

/** Makes the carriers of a configuration without starting them. Throws an error that names the option if one cannot be made. */
export function createCarriers(
  config: ConfiguredCarriers,
  ports: CarrierPorts,
  publicUrl?: string,
): Promise<Carrier[]> {
  return Promise.all(
    Object.entries(config.carriers).map(async ([name, options]) => {
      const maker = await (await loadTypeOf(options)).load();
      const callbackUrl = publicUrl && `${publicUrl}/carriers/${name}/receipts`;
      return maker.create(name, options, { ...ports, callbackUrl, concurrency: options.concurrency });
    }),
  );
}
