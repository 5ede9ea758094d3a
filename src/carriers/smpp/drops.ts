/** Counts how often the SMSC has dropped a link with a message under way: one of those messages may be the cause. */
import type { OutgoingMessage } from '../../core/sending/carrier.ts';

/** Once may be chance, and all messages that were under way are equally suspect. */
const SUSPECT_AFTER = 2;
/** Reached after some minutes with an SMSC that only drops links. */
const MOST = 10_000;

type Named = Pick<OutgoingMessage, 'id' | 'expiresAt'>;

export class Drops {
  /** By the message's id, until its code expires. The one noted longest ago comes first. */
  readonly #noted = new Map<string, { readonly count: number; readonly expiresAt: number }>();

  /** Whether the message is sent on its own from now on. */
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

  /** The SMSC has answered, or the message will not be sent over it again. */
  forget({ id }: Named): void {
    if (this.#noted.size > 0) this.#noted.delete(id);
  }
}
