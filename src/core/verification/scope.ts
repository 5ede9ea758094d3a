/** Whose a verification is. Live and test never meet, so whatever finds one takes a scope, and looks nowhere else. */
export interface Scope {
  readonly accountId: string;
  /** Made with a test key. */
  readonly test: boolean;
}

/** What the people of an account see: what its live keys asked for, and its test keys. */
export interface BothKinds {
  readonly accountId: string;
  readonly test: 'both';
}

/** As people of the account. */
export const seenByPeople = (accountId: string): BothKinds => ({ accountId, test: 'both' });

/** The kind, where a store asks for one; null for both. */
export const kindOf = ({ test }: Scope | BothKinds): boolean | null => (test === 'both' ? null : test);
