/** Messages that the simulator delivered, kept so that they can be read as on a telephone. */

import type { Channel } from '../../destination/channel.ts';
import type { Clock } from '../../seams/clock.ts';
import type { Keyring } from '../../secrets/keyring.ts';
import type { OutgoingMessage } from '../../sending/carrier.ts';
import type { SealedMessage } from '../../sending/delivery.ts';
import type { Caller } from '../request.ts';
import type { BothKinds, Scope } from '../scope.ts';
import { type IsSuccessor, showNumber } from './shown-number.ts';

export interface Inbox {
  /**
   * The messages in the scope, newest first, for one destination (its hashes) or for all (null): then it looks at a bounded
   * number of the account's newest.
   */
  list(
    scope: Scope | BothKinds,
    destinationHashes: readonly string[] | null,
    limit: number,
    now: number,
  ): Promise<InboxEntry[]>;
}

export interface InboxEntry extends SealedMessage {
  /** The key that asked for it. */
  readonly keyId: string;
  /** When it was delivered, in Unix ms. */
  readonly at: number;
}

export interface SimulatorMessage {
  /** Id of the verification. */
  readonly id: string;
  /** Masked for a key that neither asked for it, nor took the place of one that did, nor knows it. */
  readonly destination: string;
  readonly channel: Channel;
  readonly text: string;
  readonly code: string;
  /** Unix ms. */
  readonly at: number;
}

const NEWEST = 100;

export interface InboxDeps {
  readonly inbox: Inbox;
  readonly keyring: Keyring;
  readonly open: (sealed: SealedMessage) => OutgoingMessage;
  readonly isSuccessor: IsSuccessor;
  readonly clock: Pick<Clock, 'now'>;
}

/** The newest simulated messages in the scope of a key, for one canonical destination or for all. */
export async function readInbox(
  { inbox, keyring, open, isSuccessor, clock }: InboxDeps,
  caller: Caller,
  address: string | undefined,
): Promise<SimulatorMessage[]> {
  const { accountId, test } = caller;
  const hash = address === undefined ? undefined : keyring.destinationHash(accountId, test, address);
  const hashes = hash === undefined ? null : [hash.current, ...hash.earlier];
  const entries = await inbox.list({ accountId, test }, hashes, NEWEST, clock.now());
  // Most messages are of few keys.
  const known = new Map<string, Promise<boolean>>();
  const isSuccessorOf: IsSuccessor = (keyId, earlier) => {
    const answer = known.get(earlier) ?? isSuccessor(keyId, earlier);
    known.set(earlier, answer);
    return answer;
  };
  const messages = entries.map(async (entry) => {
    const { id, destination, channel, text, code } = open(entry);
    // A hash covers a telephone, and so all extensions of a number.
    if (address !== undefined && destination.address !== address) return [];
    const shown = address ?? (await showNumber(isSuccessorOf, caller, entry.keyId, destination.address));
    return [{ id, destination: shown, channel, text, code, at: entry.at }];
  });
  return (await Promise.all(messages)).flat();
}
