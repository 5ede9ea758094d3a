/**
 * The carriers that run, each with its gate. When the configuration changes, those with the same options go on, others are
 * started, and those that are gone or changed run out: they get no new message, but give the answers that are still due, and
 * receipts for a while longer.
 */
import { isDeepStrictEqual } from 'node:util';
import type { CarrierConfig } from '../config/table/carrier-options.ts';
import { describeError } from '../core/errors/error-facts.ts';
import { abortAfter, sleep } from '../core/seams/clock.ts';
import type { Carrier } from '../core/sending/carrier.ts';
import type { DailyCap } from '../core/sending/daily-cap.ts';
import type { DeliveryMetrics } from '../core/sending/delivery-metrics.ts';
import type { Gate } from '../delivery/gate/gate.ts';
import { type GateParts, type GateSettings, gateOf } from '../delivery/gate/gates.ts';

type Configured = Readonly<Record<string, CarrierConfig>>;

export interface RunningCarriersParts extends Pick<GateParts, 'budget' | 'clock'> {
  /** Makes carriers without starting them. Rejects with an error that names the option. */
  readonly make: (carriers: Configured) => Promise<readonly Carrier[]>;
  /** As its gate sees it. */
  readonly trace: (carriers: readonly Carrier[]) => readonly Carrier[];
  readonly deliveryMetrics: Pick<DeliveryMetrics, 'breaker' | 'erred' | 'dismissed'>;
  readonly log: (level: 'error', message: string, fields: Record<string, unknown>) => void;
  /** How long a carrier that is replaced or gone still hears receipts, in ms. */
  readonly linger?: number;
}

interface Member {
  /** With which it was made. */
  readonly options: CarrierConfig;
  readonly carrier: Carrier;
  readonly gate: Gate;
  /** Its health is of no interest any more. */
  mute(): void;
}

/** The carriers that another configuration wants. */
export interface CarriersDraft {
  readonly carriers: readonly Carrier[];
  readonly gates: readonly Gate[];
  readonly members: ReadonlyMap<string, Member>;
  /** Those that do not run yet. */
  readonly fresh: readonly Member[];
}

type CapOf = (carrier: string) => DailyCap | undefined;

/** No code is valid for longer, so later receipts change little. */
const LINGER_MS = 600_000;
/** How long routes wait for the links of new carriers. */
const LINK_MS = 5_000;
const LINK_LOOK_MS = 50;
const LINGER_LOOK_MS = 1_000;

export class RunningCarriers implements AsyncDisposable {
  readonly #parts: RunningCarriersParts;
  readonly #linger: number;
  #members: ReadonlyMap<string, Member> = new Map();
  /** The newest last. */
  readonly #retired = new Map<Member, Promise<void>>();
  readonly #closing = new AbortController();
  readonly #closed = new Promise<void>((resolve) => {
    this.#closing.signal.addEventListener('abort', () => resolve());
  });

  constructor({ linger = LINGER_MS, ...parts }: RunningCarriersParts) {
    this.#parts = { ...parts };
    this.#linger = linger;
  }

  /** All gates that a round may still ask. */
  get gates(): readonly Gate[] {
    return [...this.#members.values(), ...this.#retired.keys()].map(({ gate }) => gate);
  }

  /** The carriers of a name that may still get receipts, the newest first. */
  named(name: string): readonly Carrier[] {
    const current = this.#members.get(name)?.carrier;
    const earlier = [...this.#retired.keys()].filter(({ carrier }) => carrier.name === name).reverse();
    return [...(current === undefined ? [] : [current]), ...earlier.map(({ carrier }) => carrier)];
  }

  /** Makes what is new or changed. Nothing of it runs yet, and nothing that runs changes. */
  async draft(configured: Configured, capOf: CapOf): Promise<CarriersDraft> {
    const kept = new Map(
      [...this.#members].filter(([name, { options }]) => isSame(options, configured[name])),
    );
    const wanted = Object.entries(configured).filter(([name]) => !kept.has(name));
    const made = await this.#parts.make(Object.fromEntries(wanted));
    const fresh = new Map(
      this.#parts.trace(made).map((traced, index) => {
        const options = configured[traced.name];
        const carrier = made[index];
        if (options === undefined || carrier === undefined)
          throw new Error(`${traced.name} is not configured`);
        return [traced.name, this.#join({ options, carrier, traced }, capOf)];
      }),
    );
    const members = new Map(
      Object.keys(configured).flatMap((name): [string, Member][] => {
        const member = kept.get(name) ?? fresh.get(name);
        return member === undefined ? [] : [[name, member]];
      }),
    );
    const inOrder = [...members.values()];
    return {
      members,
      fresh: [...fresh.values()],
      carriers: inOrder.map(({ carrier }) => carrier),
      gates: inOrder.map(({ gate }) => gate),
    };
  }

  /** Starts what the draft adds. The links of these come up by themselves. */
  start({ fresh }: CarriersDraft): void {
    for (const { carrier } of fresh) carrier.start();
  }

  /** Waits a moment for the links of what the draft adds: routes should not lead to a carrier without one. */
  async linked({ fresh }: CarriersDraft): Promise<void> {
    const { clock } = this.#parts;
    const signal = AbortSignal.any([this.#closing.signal, abortAfter(clock, LINK_MS)]);
    while (fresh.some(({ carrier }) => isDown(carrier)) && !signal.aborted) {
      await sleep(clock, LINK_LOOK_MS);
    }
  }

  /** From now on the draft counts. `drained` resolves when no round goes by what was before. */
  adopt({ members }: CarriersDraft, drained: Promise<void>): void {
    const before = this.#members;
    this.#members = members;
    for (const [name, member] of before) {
      if (members.get(name) === member) continue;
      member.mute();
      this.#retired.set(member, this.#retire(member, drained));
      if (!members.has(name)) this.#parts.deliveryMetrics.dismissed(name);
    }
  }

  /** Stops all of them. No round is under way any more. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#closing.abort();
    await Promise.all(this.#retired.values());
    const parts = new AsyncDisposableStack();
    for (const { carrier } of this.#members.values()) parts.defer(() => carrier.stop());
    await parts.disposeAsync();
  }

  #join(
    { options, carrier, traced }: Pick<Member, 'options' | 'carrier'> & { readonly traced: Carrier },
    capOf: CapOf,
  ): Member {
    const { deliveryMetrics, budget, clock } = this.#parts;
    let heard = true;
    const ifHeard: Pick<DeliveryMetrics, 'breaker' | 'erred'> = {
      breaker: (...told) => heard && deliveryMetrics.breaker(...told),
      erred: (...told) => heard && deliveryMetrics.erred(...told),
    };
    const settings: GateSettings = options;
    return {
      options,
      carrier,
      gate: gateOf(traced, settings, { capOf, budget, clock, deliveryMetrics: ifHeard }),
      mute: () => {
        heard = false;
      },
    };
  }

  async #retire(member: Member, drained: Promise<void>): Promise<void> {
    const { signal } = this.#closing;
    const { clock } = this.#parts;
    try {
      await Promise.race([drained, this.#closed]);
      const until = clock.steady() + this.#linger;
      while (!signal.aborted && clock.steady() < until && !this.#isUseless(member)) {
        await sleep(clock, Math.min(LINGER_LOOK_MS, this.#linger), signal).catch(() => {});
      }
      await member.carrier.stop();
    } catch (error) {
      const { name: carrier } = member.carrier;
      const fields = { carrier, error: describeError(error) };
      this.#parts.log('error', 'a carrier that is replaced could not be stopped', fields);
    } finally {
      this.#retired.delete(member);
    }
  }

  /**
   * Without a link it hears nothing. It would go on binding, with a password that may be refused for good, and its complaints
   * would read like those of the carrier in its place.
   */
  #isUseless(member: Member): boolean {
    return isDown(member.carrier) || this.#isInTheWay(member);
  }

  /**
   * An SMSC may allow an account only so many links: the new carrier cannot have one before the old one ends. Of several that run
   * out under one name, one is enough.
   */
  #isInTheWay(member: Member): boolean {
    const { name, link } = member.carrier;
    const [current, latest] = this.named(name);
    const successor = this.#members.get(name);
    if (link !== undefined && successor !== undefined && isDown(successor.carrier)) return true;
    return (successor === undefined ? current : latest) !== member.carrier;
  }
}

/** Prices concern neither the carrier nor its gate. */
function isSame(options: CarrierConfig, wanted: CarrierConfig | undefined): boolean {
  const { prices: _, ...before } = options;
  const { prices: __, ...after } = wanted ?? {};
  return wanted !== undefined && isDeepStrictEqual(before, after);
}

const isDown = ({ link }: Carrier) => link?.trouble !== undefined;
