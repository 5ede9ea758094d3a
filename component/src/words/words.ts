/** What the element says in one language. Short and plain: it stands on small screens, and is read out. */
export interface Words {
  readonly country: string;
  readonly number: string;
  readonly send: string;
  readonly call: string;
  readonly callInstead: string;
  readonly smsInstead: string;
  /** With `{app}`. */
  readonly appInstead: string;
  /** With `{number}`. */
  readonly sent: string;
  /** With `{number}` and `{app}`. */
  readonly sentInApp: string;
  /** With `{number}`. */
  readonly calling: string;
  readonly code: string;
  readonly confirm: string;
  readonly again: string;
  /** With `{time}`, such as 0:29. */
  readonly againIn: string;
  readonly callAgain: string;
  /** With `{time}`. */
  readonly callAgainIn: string;
  readonly change: string;
  /** With `{time}`. */
  readonly wait: string;
  readonly ready: string;
  readonly done: string;
  readonly wrongNumber: string;
  readonly landline: string;
  readonly unreachable: string;
  readonly limited: string;
  /** With `{n}`: how many attempts are left. */
  readonly mismatch: Readonly<Partial<Record<Intl.LDMLPluralRule, string>>> & { readonly other: string };
  readonly exhausted: string;
  readonly expired: string;
  readonly noCode: string;
  readonly failed: string;
  readonly offline: string;
  /** What a form says that needs a confirmed number. */
  readonly needed: string;
}
