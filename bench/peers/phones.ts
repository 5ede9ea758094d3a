/** The far end: a gateway and an SMSC in this process, and what arrived there for each number. */
import { startGateway } from './gateway.ts';
import { startSmsc } from './smsc.ts';

export type CarrierName = 'simulator' | 'gateway' | 'smsc';

export interface Arrival {
  readonly code: string;
  /** On this process' monotonic clock. */
  readonly at: number;
}

/** A message has arrived and is completely read. */
export type Arrived = (destination: string, code: string) => void;

export interface Phones extends Disposable {
  readonly gatewayPort: number;
  readonly smscPort: number;
  /** A new number, anywhere in the range of the carrier's prefix. */
  draw(carrier: CarrierName): string;
  /** The message for a number. Rejects if none comes, so that a lost message ends the run. */
  arrival(destination: string): Promise<Arrival>;
}

/** German mobile numbers of eleven digits: a hundred million under each prefix. */
export const PREFIXES: Readonly<Record<CarrierName, string>> = {
  simulator: '+49151',
  gateway: '+49152',
  smsc: '+49157',
};

const EXTENT = 100_000_000;
/** Has no factor in common with the extent, so each number comes once: people who ask at the same time are not neighbours. */
const STRIDE = 61_803_399;

const PATIENCE_MS = 20_000;

/** The gateway answers after `answerMs`. */
export async function openPhones(answerMs = 0): Promise<Phones> {
  const come = new Map<string, Arrival>();
  const awaited = new Map<string, (arrival: Arrival) => void>();
  const arrived: Arrived = (destination, code) => {
    const arrival = { code, at: performance.now() };
    const receive = awaited.get(destination);
    if (receive === undefined) come.set(destination, arrival);
    else receive(arrival);
    awaited.delete(destination);
  };
  const gateway = await startGateway(arrived, answerMs);
  const smsc = await startSmsc(arrived);
  let drawn = 0;

  function untilArrived(destination: string): Promise<Arrival> {
    return new Promise((resolve, reject) => {
      const giveUp = () => reject(new Error('a message never reached the carrier'));
      const timer = setTimeout(giveUp, PATIENCE_MS);
      awaited.set(destination, (arrival) => {
        clearTimeout(timer);
        resolve(arrival);
      });
    });
  }

  return {
    gatewayPort: gateway.port,
    smscPort: smsc.port,
    draw: (carrier) => PREFIXES[carrier] + String((drawn++ * STRIDE) % EXTENT).padStart(8, '0'),
    arrival(destination) {
      const arrival = come.get(destination);
      if (arrival === undefined) return untilArrived(destination);
      come.delete(destination);
      return Promise.resolve(arrival);
    },
    [Symbol.dispose]() {
      gateway.close();
      smsc.close();
    },
  };
}
