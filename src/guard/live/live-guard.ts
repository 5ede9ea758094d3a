/** The guard in the service: it judges from memory, and everything else follows behind. */

import type { Destination } from '../../core/destination/destination.ts';
import { telephoneOf } from '../../core/destination/telephone.ts';
import type { GuardMode } from '../../core/guarding/guard-mode.ts';
import type { FraudVerdict, GivenVerdict, VerdictWeight } from '../../core/guarding/verdict.ts';
import type { RefusedByRule } from '../../core/lookups/facts.ts';
import type { Clock } from '../../core/seams/clock.ts';
import type { Route } from '../../core/sending/routing.ts';
import type {
  GuardedRequest,
  GuardPort,
  GuardVerdict,
  JudgedCode,
  TypedCode,
} from '../../core/verification/guard-port.ts';
import type { Caller } from '../../core/verification/request.ts';
import type { Ask } from '../ask.ts';
import type { GuardExplanation } from '../explanation.ts';
import type { Guard } from '../guard.ts';
import type { GuardRefusal } from './refusal.ts';

interface LiveGuardDeps {
  readonly guard: Guard;
  readonly clock: Clock;
  /** Of accounts that set none. */
  readonly mode: GuardMode;
  /** Routes whose messages do not leave the machine. */
  readonly exempt: ReadonlySet<Route>;
  /** The form in which numbers are known over all accounts. */
  readonly numberOf: (address: string) => string;
  readonly onPass: (isProbe: boolean) => void;
  readonly onRefusal: (refusal: GuardRefusal) => void;
}

/** How the guard sees a number, and whether it judges at all. */
export interface GuardSnapshot {
  readonly mode: GuardMode;
  readonly explanation: GuardExplanation;
}

const JUDGES = { 'by-all': 'judge', 'as-brought': 'judgeBrought', 'by-rules': 'judgeByRules' } as const;
const NOTHING: GuardVerdict = { passes: true, written: () => {}, notWritten: () => {} };

/**
 * Its time goes on by the steady clock from what the store's clock showed at the start: a clock that is set must neither make
 * evidence old nor keep it from fading.
 */
export class LiveGuard implements GuardPort {
  readonly #deps: LiveGuardDeps;
  readonly #startedAt: number;

  constructor(deps: LiveGuardDeps, startedAt = deps.clock.now() - deps.clock.steady()) {
    this.#deps = deps;
    this.#startedAt = startedAt;
  }

  /** The same guard, by another configuration: what it has learnt stays. */
  under(terms: Pick<LiveGuardDeps, 'mode' | 'exempt'>): LiveGuard {
    return new LiveGuard({ ...this.#deps, ...terms }, this.#startedAt);
  }

  /** The time of the guard, Unix ms. */
  now = (): number => this.#startedAt + this.#deps.clock.steady();

  judge({
    caller,
    channel,
    destination,
    route,
    clientNetwork,
    device,
    judged,
  }: GuardedRequest): GuardVerdict {
    const { guard, exempt, onPass, onRefusal } = this.#deps;
    const mode = this.#modeOf(caller);
    const isOff = mode === 'off';
    // Without rules the guard that is off costs nothing, not even the hash of the number.
    if ((isOff && !guard.hasRules) || exempt.has(route)) return NOTHING;
    const ask = this.#ask(
      { caller, country: destination.country, clientNetwork, device },
      destination.address,
    );
    const judgement = guard[isOff ? 'judgeByRules' : JUDGES[judged]](ask);
    if (isOff && judgement.allow) return NOTHING;
    /** What is refused only in name counts once it is written: a repetition, or what something else refuses, is no request. */
    let observed = () => {};
    if (judgement.allow) onPass(judgement.probe);
    else {
      const { rule, detail } = judgement;
      const enforced = mode === 'enforce' || judgement.isDecided === true;
      const refused = () => {
        // Of what was brought nobody waits before a closed place: the pace of its probes is that of the others.
        if (judged === 'by-all') guard.refused(ask, judgement);
        onRefusal({ ask, channel, route, rule, detail, enforced });
      };
      if (enforced) return { passes: false, refused };
      observed = refused;
    }
    // A rule refuses in every mode, so nothing is only observed here.
    if (judged === 'by-rules') return NOTHING;
    const isBrought = judged === 'as-brought';
    const sent = isBrought ? guard.sentBrought(ask) : guard.sent(ask, judgement);
    const takeBack = isBrought ? guard.takeBackBrought : guard.takeBack;
    return {
      passes: true,
      written: () => {
        guard.written(sent);
        observed();
      },
      notWritten: () => takeBack.call(guard, { ...ask, at: this.now() }, sent),
    };
  }

  refusedByRule(
    { caller, channel, destination, route, clientNetwork, device }: GuardedRequest,
    { rule, detail }: RefusedByRule,
  ): void {
    const from = { caller, country: destination.country, clientNetwork, device };
    const ask = this.#ask(from, destination.address);
    this.#deps.onRefusal({ ask, channel, route, rule, detail, enforced: true });
  }

  /** What is held against a request, and for it; nothing is learnt from the question. */
  explain(caller: Caller, { address, country }: Destination): GuardSnapshot {
    const from = { caller, country, clientNetwork: null };
    return { mode: this.#modeOf(caller), explanation: this.#deps.guard.explain(this.#ask(from, address)) };
  }

  confirmed(typed: TypedCode, address: string): void {
    if (this.#modeOf(typed.caller) === 'off') return;
    this.#deps.guard.confirmed(this.#ask(typed, address), typed.isEvidence);
  }

  mismatched(typed: TypedCode): void {
    if (typed.isEvidence && this.#modeOf(typed.caller) !== 'off')
      this.#deps.guard.mismatched(this.#ask(typed, ''));
  }

  weigh(code: JudgedCode, verdict: FraudVerdict): VerdictWeight {
    if (!code.isEvidence || code.caller.test || this.#modeOf(code.caller) === 'off') return 0;
    return this.#deps.guard.weigh(this.#ask({ ...code, clientNetwork: null }, ''), code.isConfirmed, verdict);
  }

  judged(code: JudgedCode, before: GivenVerdict | null, given: GivenVerdict | null): void {
    const ask = this.#ask({ ...code, clientNetwork: null }, '');
    this.#deps.guard.judged(ask, code.createdAt, before, given);
  }

  #modeOf({ settings }: Caller): GuardMode {
    return settings?.guard ?? this.#deps.mode;
  }

  #ask({ caller, country, clientNetwork, device }: Omit<TypedCode, 'isEvidence'>, address: string): Ask {
    return {
      at: this.now(),
      account: caller.accountId,
      key: caller.keyId,
      predecessors: caller.predecessors,
      number: address === '' ? '' : this.#deps.numberOf(address),
      destination: telephoneOf(address),
      country,
      network: clientNetwork ?? undefined,
      device,
    };
  }
}
