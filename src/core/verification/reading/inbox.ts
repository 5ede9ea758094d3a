/** Messages that the simulator delivered, kept so that they can be read as on a telephone. */
import type { Channel } from '../../destination/channel.ts';
import type { Keyring } from '../../secrets/keyring.ts';
import type { OutgoingMessage } from '../../sending/carrier.ts';
import type { SealedMessage } from '../../sending/delivery.ts';

export interface Inbox {
  /** The account's messages, newest first, for one destination (its hashes) or for all (null). */
  list(accountId: string, destinationHashes: readonly string[] | null, limit: number): Promise<InboxEntry[]>;
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

/** The account's newest simulated messages, for one canonical destination or for all. */
export async function readInbox(
  inbox: Inbox,
  keyring: Keyring,
  open: (sealed: SealedMessage) => OutgoingMessage,
  accountId: string,
  address: string | undefined,
): Promise<SimulatorMessage[]> {
  const hashes = address === undefined ? null : keyring.destinationHashes(accountId, address);
  const entries = await inbox.list(accountId, hashes, NEWEST);
  return entries.flatMap((entry) => {
    const { id, destination, channel, text, code } = open(entry);
    // A hash covers a telephone, and so all extensions of a number.
    if (address !== undefined && destination.address !== address) return [];
    return { id, destination: destination.address, channel, text, code, at: entry.at };
  });
}
