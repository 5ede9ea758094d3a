/** Two guards that tell each other what they learn, as two nodes do; everything that they answer goes into one digest. */
import { createHash } from 'node:crypto';
import { Guard, type GuardOptions } from '../../src/guard/guard.ts';
import { decodeShare, encodeShare } from '../../src/guard/live/encoding.ts';
import { BUCKETS } from '../../src/guard/memory/buckets.ts';
import type { OperatorRule } from '../../src/guard/rules.ts';
import type { Random } from '../../test/guard/world/random.ts';
import type { Request } from './people.ts';

export class Pair {
  readonly #options: GuardOptions;
  readonly #random: Random;
  readonly #digest = createHash('sha256');
  readonly #guards: [Guard, Guard];
  /** What one told and the other has not heard yet. */
  readonly #told: [string[], string[]] = [[], []];
  /** How often each rule decided. */
  readonly decided = new Map<string, number>();
  #bucket = 0;

  constructor(options: GuardOptions, random: Random) {
    this.#options = options;
    this.#random = random;
    this.#guards = [new Guard(options), new Guard(options)];
  }

  digest(): string {
    return this.#digest.digest('hex');
  }

  setRules(rules: readonly OperatorRule[]): void {
    for (const guard of this.#guards) guard.setRules(rules);
  }

  /** Whether a code was sent, by which node. */
  request({ ask, isBrought }: Request): { readonly node: 0 | 1; readonly isSent: boolean } {
    const random = this.#random;
    const node = random.chance(0.6) ? 0 : 1;
    const guard = this.#guards[node];
    if (random.chance(0.01)) this.#note(guard.judgeByRules(ask));
    const judgement = isBrought ? guard.judgeBrought(ask) : guard.judge(ask);
    this.#note(judgement);
    const rule = judgement.allow ? (judgement.probe ? 'probe' : 'none') : judgement.rule;
    this.decided.set(rule, (this.decided.get(rule) ?? 0) + 1);
    if (random.chance(0.002)) this.#note(guard.explain(ask));
    // As where the mode is to observe: what is refused is sent.
    if (!judgement.allow && random.chance(0.95)) {
      if (!isBrought) guard.refused(ask, judgement);
      return { node, isSent: false };
    }
    const sent = isBrought ? guard.sentBrought(ask) : guard.sent(ask, judgement);
    const { at, tag, isOwn, ticket, weight, taught, tried } = sent;
    // Where its number is kept is nobody's business.
    this.#note([at, tag, isOwn, ticket ?? null, weight, taught, ...tried.map(Object.entries)]);
    if (random.chance(0.96)) {
      guard.written(sent);
      if (!judgement.allow && !isBrought) guard.refused(ask, judgement);
      return { node, isSent: true };
    }
    // Others may have asked meanwhile.
    if (random.chance(0.3))
      this.request({ ask: { ...ask, account: 'account 1' }, isBrought, confirms: 0, mistypes: 0 });
    const later = { ...ask, at: at + random.whole(0, 90_000) * (random.chance(0.2) ? 1 : 0) };
    if (isBrought) guard.takeBackBrought(later, sent);
    else guard.takeBack(later, sent);
    return { node, isSent: false };
  }

  confirmed({ ask, isBrought }: Request, node: 0 | 1, at: number): void {
    const there = this.#random.chance(0.8) ? node : node === 0 ? 1 : 0;
    this.#guards[there].confirmed({ ...ask, at }, !isBrought);
  }

  mismatched({ ask }: Request, node: 0 | 1, at: number): void {
    this.#guards[node].mismatched({ ...ask, at });
  }

  /** A round of the upkeep. */
  tell(at: number): void {
    const random = this.#random;
    for (const node of [0, 1] as const) {
      const guard = this.#guards[node];
      guard.advance(at);
      this.#note(guard.takeTouched());
      const text = encodeShare(guard.takeChanges());
      this.#digest.update(text);
      this.#told[node === 0 ? 1 : 0].push(text);
      if (random.chance(0.1)) this.#digest.update(encodeShare(guard.snapshot(this.#bucket++ % BUCKETS)));
    }
    for (const node of [0, 1] as const) {
      if (random.chance(0.2)) continue;
      // A clock may be behind, and what is told comes late.
      for (const text of this.#told[node].splice(0)) this.#absorb(this.#guards[node], text, at);
    }
  }

  /** Everything that is known, at both. */
  look(at: number): void {
    for (const guard of this.#guards) {
      this.#note(guard.closed(at));
      this.#digest.update(encodeShare(guard.snapshot()));
      this.#digest.update(encodeShare(guard.baseline()));
    }
  }

  /** A node starts again, from what was kept. */
  restart(at: number): void {
    const before = this.#guards[1];
    this.tell(at);
    const guard = new Guard(this.#options);
    for (let bucket = 0; bucket < BUCKETS; bucket++)
      this.#absorb(guard, encodeShare(before.snapshot(bucket)), at);
    this.#absorb(guard, encodeShare(before.baseline()), at);
    this.#note(guard.takeTouched());
    this.#guards[1] = guard;
  }

  #absorb(guard: Guard, text: string, at: number): void {
    const share = decodeShare(text);
    if (share !== undefined) guard.absorb(share, at);
  }

  #note(answer: unknown): void {
    this.#digest.update(JSON.stringify(answer) ?? '');
  }
}
