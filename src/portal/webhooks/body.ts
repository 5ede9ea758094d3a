/** What a message to an endpoint says. It is kept nowhere, so it is made again from its verification, with the number masked. */
import type { SentMessage } from '../../accounts/webhooks/messages.ts';
import type { Clock } from '../../core/seams/clock.ts';
import type { Keyring } from '../../core/secrets/keyring.ts';
import type { Archive } from '../../core/verification/reading/archive.ts';
import { seenByPeople } from '../../core/verification/scope.ts';
import { composeBody } from '../../events/body.ts';

/** JSON; null if what it was about is gone. */
export type ReadEventBody = (accountId: string, message: SentMessage) => Promise<string | null>;

export interface EventBodyDeps {
  readonly clock: Clock;
  readonly archive: Archive;
  readonly keyring: Keyring;
}

export function createEventBodies({ clock, archive, keyring }: EventBodyDeps): ReadEventBody {
  return async (accountId, message) => {
    const { verificationId: id } = message;
    const found =
      id === null ? undefined : await archive.findArchived(seenByPeople(accountId), id, clock.wall());
    const about = found === undefined ? null : { ...found.verification, detailsSealed: found.detailsSealed };
    return composeBody(keyring, message, about, false) ?? null;
  };
}
