/** Who does something that is recorded. */
export interface Actor {
  /** A person's name with their e-mail address, as `nameOfPerson` writes it, or the name of what acted without a person. */
  readonly name: string;
  /** The IP address that it came from. */
  readonly address: string | null;
}

export const COMMAND_LINE: Actor = { name: 'command line', address: null };
export const THE_SERVICE: Actor = { name: 'the service', address: null };
/** Who wrote STOP. */
export const A_RECIPIENT: Actor = { name: 'a recipient', address: null };

/** Anybody may have any name, but only one person has an address. It stands last, whatever the name ends with. */
export const nameOfPerson = ({ name, email }: { readonly name: string; readonly email: string }): string =>
  `${name} (${email})`;

/** Whose refused sign-ins are: nobody has proved who they are. */
export const SOMEBODY = 'somebody';

const OWN_NAMES: readonly string[] = [COMMAND_LINE.name, THE_SERVICE.name, A_RECIPIENT.name, SOMEBODY];

/** Whether it reads like what acts without a person. */
export const isOwnName = (name: string): boolean =>
  OWN_NAMES.includes(name.normalize('NFKC').toLowerCase().trim().replace(/\s+/g, ' '));
