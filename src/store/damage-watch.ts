import type { Logger } from 'pino';
import type { StoreDamaged } from '../core/errors.ts';

export interface DamageWatch {
  /** Whether a part of the file that is broken was met since the start: it does not heal, and a restart would only forget. */
  readonly met: boolean;
  /** Logs what is new: a page that is asked for again and again is one line. */
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
