/** Who does something that goes on record. */
export interface Actor {
  /** Of the person, or of what acted where nobody was signed in. */
  readonly name: string;
  /** Where from: an IP address. */
  readonly address: string | null;
}

export const COMMAND_LINE: Actor = { name: 'command line', address: null };
export const THE_SERVICE: Actor = { name: 'the service', address: null };
