/** The simulator's messages, sealed on the way in and opened on the way out. */
import type { OutgoingMessage } from './carrier.ts';
import type { Channel } from './destination.ts';
import type { Inbox } from './inbox.ts';
import type { Keyring } from './keyring.ts';

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

export function createMailbox(inbox: Inbox, keyring: Keyring) {
  return {
    /** Keeps a message for its account; durable when it resolves. `at` is Unix ms. */
    async keep(
      { id, accountId, test, destination, channel, text, code }: OutgoingMessage,
      at: number,
    ): Promise<void> {
      const message = { id, destination: destination.address, channel, text, code, at };
      await inbox.record({
        id,
        accountId,
        destinationHash: keyring.destinationHash(accountId, test, destination.address).current,
        sealed: keyring.seal(JSON.stringify(message satisfies SimulatorMessage), accountId),
        at,
      });
    },

    /** The account's newest messages, of one destination (canonical) or of all. */
    async read(accountId: string, address: string | undefined): Promise<SimulatorMessage[]> {
      const hashes =
        address === undefined ? null : [true, false].flatMap((test) => hashesOf(accountId, test, address));
      const kept = await inbox.list(accountId, hashes, NEWEST);
      return kept.map(({ sealed }) => JSON.parse(keyring.open(sealed, accountId)));
    },
  };

  function hashesOf(accountId: string, test: boolean, address: string): string[] {
    const { current, previous } = keyring.destinationHash(accountId, test, address);
    return previous === null ? [current] : [current, previous];
  }
}
