import type { VerifyEvent, WorldEvent } from './event.ts';
import { Timeline } from './timeline.ts';

export type Request = Pick<VerifyEvent, 'account' | 'key' | 'destination' | 'channel'> & {
  readonly ip: string | undefined;
};
export type Answer = (allowed: boolean, ref: string) => void;

/** Lets people and bots act in the order of time, and hands out what the service sees of it. */
export class Stage {
  #timeline = new Timeline();
  #now: number;
  #event: WorldEvent | undefined;
  #asked: { readonly ref: string; readonly answer: Answer } | undefined;
  #refs = 0;
  readonly #elsewhere = new Set<string>();
  readonly #brought = new Set<string>();

  constructor(start: number) {
    this.#now = start;
  }

  /** Milliseconds since 1970. */
  get now(): number {
    return this.#now;
  }

  /** Each act causes one event at most. */
  at(time: number, act: () => void): void {
    this.#timeline.plan(Math.max(this.#now, Math.round(time)), act);
  }

  after(milliseconds: number, act: () => void): void {
    this.at(this.#now + milliseconds, act);
  }

  /** From now on the codes of an account are brought, and nobody confirms them here. */
  judgeElsewhere(account: string): void {
    this.#elsewhere.add(account);
  }

  ask({ ip, ...request }: Request, answer: Answer): void {
    const ref = `r${++this.#refs}`;
    const isBrought = this.#elsewhere.has(request.account);
    if (isBrought) this.#brought.add(ref);
    this.#asked = { ref, answer };
    const more = { ...(isBrought && { brought: true as const }), ...(ip && { client: { ip } }) };
    this.#show({ at: this.#time(), op: 'verify', ref, ...request, ...more });
  }

  receive(ref: string, outcome: 'delivered' | 'failed'): void {
    this.#show({ at: this.#time(), op: 'receipt', ref, outcome });
  }

  confirm(ref: string, ok: boolean): void {
    if (!this.#brought.has(ref)) this.#show({ at: this.#time(), op: 'confirm', ref, ok });
  }

  next(): WorldEvent | undefined {
    if (this.#asked !== undefined) throw new Error(`${this.#asked.ref} was not decided.`);
    this.#event = undefined;
    while (this.#event === undefined) {
      const task = this.#timeline.take();
      if (task === undefined) return undefined;
      this.#now = task.at;
      task.act();
    }
    return this.#event;
  }

  decided(ref: string, allowed: boolean): void {
    const asked = this.#asked;
    if (asked?.ref !== ref) throw new Error(`${ref} was not asked.`);
    this.#asked = undefined;
    asked.answer(allowed, ref);
  }

  #time(): string {
    return new Date(this.#now).toISOString();
  }

  #show(event: WorldEvent): void {
    if (this.#event !== undefined) throw new Error('One act caused two events.');
    this.#event = event;
  }
}
