/** The options that may change while the service runs, and what follows from them: as one object that is replaced at once. */
import type { createCarriers } from '../carriers/index.ts';
import { findChanges } from '../config/changes.ts';
import type { OptionOrigins } from '../config/option-origins.ts';
import { ConfigError, describeProblem } from '../config/problem.ts';
import type { Config } from '../config/table/schema.ts';
import { describeError } from '../core/errors/error-facts.ts';
import type { Carrier, CarrierPorts } from '../core/sending/carrier.ts';
import type { GuardPort } from '../core/verification/guard-port.ts';
import type { RoundConfiguration } from '../delivery/dispatcher.ts';
import type { Gate } from '../delivery/gate/gate.ts';
import { createGeneration, type Generation, type GenerationParts } from './generation.ts';
import type { ReadAgain, ReloadedBy, ReloadOutcome } from './outcome.ts';
import { RunningCarriers, type RunningCarriersParts } from './running-carriers.ts';
import { findVoiceFaults } from './voices.ts';

export interface ActiveConfigurationParts extends GenerationParts, Pick<RunningCarriersParts, 'trace'> {
  readonly createCarriers: typeof createCarriers;
  readonly carrierPorts: CarrierPorts;
  readonly publicUrl: string | undefined;
  readonly log: (level: 'info' | 'warn' | 'error', message: string, fields: Record<string, unknown>) => void;
  /** Another configuration is in effect. */
  readonly onChange: (config: Config) => Promise<void>;
}

/** The generation in effect, and how the next takes its place. */
export class ActiveConfiguration implements AsyncDisposable {
  readonly #parts: ActiveConfigurationParts;
  readonly #carriers: RunningCarriers;
  #generation: Generation;
  #learning: Disposable | undefined;
  /** One reload after the other. */
  #reloading: Promise<unknown> = Promise.resolve();
  #last: ReloadOutcome | undefined;
  #given: OptionOrigins;
  #stopped = false;
  /** No round goes by a generation before the current one any more. */
  #drained: Promise<void> = Promise.resolve();
  /** The places of caps that are gone. */
  #returned: Promise<unknown> = Promise.resolve();

  private constructor(parts: ActiveConfigurationParts, carriers: RunningCarriers, generation: Generation) {
    this.#parts = parts;
    this.#carriers = carriers;
    this.#generation = generation;
    this.#given = generation.config.given;
    carriers.adopt(generation.draft, generation.rounds.drained);
    this.#learn();
  }

  /** Rejects with an error that names the option if a carrier cannot be made. */
  static async open(config: Config, parts: ActiveConfigurationParts): Promise<ActiveConfiguration> {
    const { deliveryMetrics, trace, carrierPorts, publicUrl, store, clock, log } = parts;
    const make: RunningCarriersParts['make'] = (carriers) =>
      parts.createCarriers({ carriers }, carrierPorts, publicUrl);
    const carriers = new RunningCarriers({ make, trace, deliveryMetrics, budget: store.budget, clock, log });
    return new ActiveConfiguration(parts, carriers, await createGeneration(config, parts, carriers));
  }

  /** Take it once and go by it: the next turn of the event loop may have another. */
  get generation(): Generation {
    return this.#generation;
  }

  get roundConfiguration(): RoundConfiguration {
    return this.#generation.roundConfiguration;
  }

  get gates(): readonly Gate[] {
    return this.#carriers.gates;
  }

  /** How the configuration was last taken, or refused, since the start. */
  get last(): ReloadOutcome | undefined {
    return this.#last;
  }

  /** Where the options in effect were set when they were last read: a line moves though no option changes. */
  get given(): OptionOrigins {
    return this.#given;
  }

  readonly guardPort: GuardPort = {
    judge: (request) => this.#generation.guardPort.judge(request),
    refusedByRule: (...refused) => this.#generation.guardPort.refusedByRule(...refused),
    confirmed: (typed, address) => this.#generation.guardPort.confirmed(typed, address),
    mismatched: (typed) => this.#generation.guardPort.mismatched(typed),
    weigh: (...asked) => this.#generation.guardPort.weigh(...asked),
    judged: (...said) => this.#generation.guardPort.judged(...said),
  };

  /** The carriers of a name that may still get receipts, the newest first. */
  carriersOf = (name: string): readonly Carrier[] => this.#carriers.named(name);

  /** Starts the carriers. */
  start(): this {
    this.#carriers.start(this.#generation.draft);
    void this.#checkVoices();
    return this;
  }

  /** Never rejects: what is wrong is in the outcome, and everything goes on as before. */
  reload(read: ReadAgain, by: ReloadedBy): Promise<ReloadOutcome> {
    const taken = this.#reloading.then(() => this.#take(read, by));
    this.#reloading = taken;
    return taken;
  }

  /** Stops the carriers. No round is under way any more. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#reloading;
    this.#stopped = true;
    this.#learning?.[Symbol.dispose]();
    await this.#carriers[Symbol.asyncDispose]();
    await Promise.all([this.#returned, ...this.#generation.caps.all.map((cap) => cap.stop())]);
  }

  async #take(read: ReadAgain, by: ReloadedBy): Promise<ReloadOutcome> {
    const { clock, log } = this.#parts;
    const found = await this.#try(read);
    const outcome = { at: clock.wall(), by, ok: found.problems.length === 0, ...found };
    this.#last = outcome;
    const { changed, problems } = outcome;
    if (outcome.ok)
      log('info', 'the configuration was read again', { event: 'config.reloaded', by, changed });
    else {
      const fields = { event: 'config.refused', by, changed, problems };
      log('error', 'the configuration was not taken: everything goes on as before', fields);
    }
    return outcome;
  }

  async #try(read: ReadAgain): Promise<Pick<ReloadOutcome, 'changed' | 'problems'>> {
    const before = this.#generation;
    let changed: string[] = [];
    try {
      const config = await read(this.#given);
      const changes = findChanges(before.config, config);
      changed = changes.map(({ key }) => key);
      const fixed = changes.filter(({ live }) => !live);
      if (fixed.length > 0) return { changed, problems: fixed.map(({ key }) => `${key}: ${NEEDS_RESTART}`) };
      if (changed.length > 0) await this.#change(config);
      this.#given = config.given;
      return { changed, problems: [] };
    } catch (error) {
      return { changed, problems: this.#explain(error) };
    }
  }

  async #change(config: Config): Promise<void> {
    const { clock, onChange, log } = this.#parts;
    const before = this.#generation;
    const next = await createGeneration(config, this.#parts, this.#carriers, before);
    this.#carriers.start(next.draft);
    await Promise.all([
      this.#carriers.linked(next.draft),
      // What cannot be learnt now is learnt every second from then on.
      next.routing.warm(clock.now()).catch(() => {}),
    ]);
    this.#generation = next;
    // A carrier may have been there for many generations, and rounds of each may still ask it.
    const drained = Promise.all([this.#drained, before.rounds.drained]).then(() => {});
    this.#drained = drained;
    this.#carriers.adopt(next.draft, drained);
    before.rounds.supersede();
    this.#learn();
    void this.#checkVoices();
    const left = before.caps.all.filter((cap) => !next.caps.all.includes(cap));
    // Places that a request of before still gives back then count as used.
    const earlier = this.#returned;
    this.#returned = drained.then(async () => {
      await Promise.all([earlier, ...left.map((cap) => cap.stop())]);
    });
    await onChange(config).catch((error: unknown) => {
      // Nobody was warned, which changes nothing.
      log('warn', 'the configuration could not be looked through', { error: describeError(error) });
    });
  }

  #explain(error: unknown): string[] {
    if (error instanceof ConfigError) return error.problems.map(describeProblem);
    this.#parts.log('error', 'the configuration could not be taken', { error: describeError(error) });
    return ['a carrier could not be made, or something else failed: the log says what'];
  }

  /** Beside everything else: a speech command may take long. What a carrier that was stopped meanwhile cannot say is not told. */
  async #checkVoices(): Promise<void> {
    const generation = this.#generation;
    const { config, draft } = generation;
    for (const carrier of draft.carriers) {
      const faults = await findVoiceFaults(config, carrier).catch(() => new Map<string, string>());
      if (this.#stopped || generation !== this.#generation) return;
      for (const [locale, reason] of faults)
        this.#parts.log('error', 'calls cannot say codes in a language', {
          carrier: carrier.name,
          locale,
          reason,
        });
    }
  }

  #learn(): void {
    this.#learning?.[Symbol.dispose]();
    const { clock, log } = this.#parts;
    this.#learning = this.#generation.routing.learn(clock, (...noted) => log('warn', ...noted));
  }
}

const NEEDS_RESTART = 'changes only with a restart; restart the service, or take the change back';
