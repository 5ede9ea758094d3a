/** Messages that the simulator delivered, kept so that they can be read as on a telephone. */
import type { Channel } from '../../destination/channel.ts';
import type { Keyring } from '../../secrets/keyring.ts';
import type { OutgoingMessage } from '../../sending/carrier.ts';
import type { SealedMessage } from '../../sending/delivery.ts';
import type { BothKinds, Scope } from '../scope.ts';

/** Of all messages of an account, whichever kind is wanted. */
export const MOST_LOOKED_AT = 1_000;

export interface Inbox {
  /**
   * The messages in the scope, newest first, for one destination (its hashes) or for all (null): then it looks at a bounded
   * number of the account's newest.
   */
  list(
    scope: Scope | BothKinds,
    destinationHashes: readonly string[] | null,
    limit: number,
  ): Promise<InboxEntry[]>;
}

export interface InboxEntry extends SealedMessage {
  /** When it was delivered, in Unix ms. */
  readonly at: number;
}

export interface SimulatorMessage {
  /** Id of the verification. */
  readonly id: string;
  readonly destination: string;
  readonly channel: Channel;
  readonly text: string;
  readonly code: string;
  /** Unix ms. */
  readonly at: number;
}

const NEWEST = 100;

/** The newest simulated messages in the scope, for one canonical destination or for all. */
export async function readInbox(
  inbox: Inbox,
  keyring: Keyring,
  open: (sealed: SealedMessage) => OutgoingMessage,
  { accountId, test }: Scope,
  address: string | undefined,
): Promise<SimulatorMessage[]> {
  const hash = address === undefined ? undefined : keyring.destinationHash(accountId, test, address);
  const hashes = hash === undefined ? null : [hash.current, ...hash.earlier];
  const entries = await inbox.list({ accountId, test }, hashes, NEWEST);
  return entries.flatMap((entry) => {
    const { id, destination, channel, text, code } = open(entry);
    // A hash covers a telephone, and so all extensions of a number.
    if (address !== undefined && destination.address !== address) return [];
    return { id, destination: destination.address, channel, text, code, at: entry.at };
  });
}
