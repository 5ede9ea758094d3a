/** How often the SMSC has dropped a link while it had a message before it: one of those messages may be the reason. */
import type { OutgoingMessage } from '../../core/carrier.ts';

/** Once may be chance, and everything else under way at the time is as suspect. */
const SUSPECT_AFTER = 2;
/** Some minutes of an SMSC that does nothing but drop links. */
const MOST = 10_000;

type Named = Pick<OutgoingMessage, 'id' | 'expiresAt'>;

export class Drops {
  /** By the message's id, until its code expires; who was noted longest ago comes first. */
  readonly #noted = new Map<string, { readonly count: number; readonly expiresAt: number }>();

  /** Whether the message is to go alone from now on. */
  isSuspect({ id }: Named): boolean {
    return this.#noted.size > 0 && (this.#noted.get(id)?.count ?? 0) >= SUSPECT_AFTER;
  }

  /** A link was dropped with the message under way on it. */
  note({ id, expiresAt }: Named, now: number): void {
    const count = (this.#noted.get(id)?.count ?? 0) + 1;
    this.#noted.delete(id);
    for (const [oldest, noted] of this.#noted) {
      if (noted.expiresAt > now && this.#noted.size < MOST) break;
      this.#noted.delete(oldest);
    }
    this.#noted.set(id, { count, expiresAt });
  }

  /** The SMSC has answered, or the message is not sent over it again. */
  forget({ id }: Named): void {
    if (this.#noted.size > 0) this.#noted.delete(id);
  }
}
