/** Who does something that is recorded. */
export interface Actor {
  /** The person's name, or the name of what acted without a person. */
  readonly name: string;
  /** The IP address that it came from. */
  readonly address: string | null;
}

export const COMMAND_LINE: Actor = { name: 'command line', address: null };
export const THE_SERVICE: Actor = { name: 'the service', address: null };
