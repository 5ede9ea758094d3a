/** Guards of the database that several nodes share: what one of them holds, another does not take. Chosen as those of `chosen.ts` were. */
export const SHARED: readonly string[] = [
  // Leases and fences.
  'of two nodes that claim at once one gets the message',
  'each claim has a fence of its own',
  'a lease of another holder is not renewed',
  'each lease is renewed by its own fence',
  'the holder of a lost lease postpones nothing',
  'who lost a lease does not end the delivery of the next holder',
  'a renewal after its settlement sends no message again (PostgreSQL)',
  'what is held to the end of its code is not taken over just before it',
  // Settlements and receipts.
  "a receipt does not change another holder's lease",
  'a message that was delivered after all is not sent again',
  'a carrier that refused a message for good is not asked again',
  'a late settlement sees what was settled meanwhile',
  'a message whose time has come goes by the next channel (PostgreSQL)',
  // Codes, keys and budgets.
  'what only the limits of another node look back at is remembered',
  'a code is confirmed once',
  'a verification is for keys of its kind (PostgreSQL)',
  'an Idempotency-Key belongs to an account',
  'it ends them also where the client approves it (PostgreSQL)',
  'a budget holds beside calls that have none',
  'a confirmation ends what is reserved in budgets',
  'an approval ends what was issued since the codes were found (PostgreSQL)',
];
