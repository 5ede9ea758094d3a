import type { Logger } from 'pino';
import type { StoreDamaged } from '../core/errors/store-failure.ts';

export interface DamageWatch {
  /** Whether a call has met damage since the start. Damage does not heal, and a restart only forgets it. */
  readonly met: boolean;
  /** Logs each damage once, however often its page is read. */
  note(damage: StoreDamaged): void;
}

export function watchDamage(log: Logger): DamageWatch {
  const seen = new Set<string>();
  return {
    get met() {
      return seen.size > 0;
    },
    note({ message }) {
      if (seen.has(message)) return;
      seen.add(message);
      log.error({ reason: message }, 'the store is damaged');
    },
  };
}
