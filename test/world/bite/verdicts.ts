/** What keeps verdicts of accounts: guards of the list of mutants, and faults that were written with the door, before it was played without them. */
import type { Edit } from './invented.ts';

export const VERDICTS: readonly string[] = [
  'of verdicts that are given at once each replaces the one before',
  'the same verdict again changes nothing',
  'a verdict on what is too old is refused',
  'a verdict counts as a request with its key',
  'a verdict on what is no evidence, or of a test key, counts nothing',
];

const FEEDBACK = 'src/accounts/guarding/feedback.ts';

export const VERDICT_FAULTS: readonly Edit[] = [
  {
    breaks: 'a key says nothing of what the other kind of key asked for',
    file: FEEDBACK,
    from: 'scope: { accountId, test },',
    to: "scope: { accountId, test: 'both' },",
  },
  {
    breaks: 'each change is in the audit log',
    file: FEEDBACK,
    from: '[{ judge: change }, counted, ...counts, entry]',
    to: '[{ judge: change }, counted, ...counts]',
  },
  {
    breaks: 'each change counts for its day',
    file: FEEDBACK,
    from: '[{ judge: change }, counted, ...counts, entry]',
    to: '[{ judge: change }, counted, ...counts, entry].filter((it) => it !== counted)',
  },
  {
    breaks: 'the audit log says which key said it',
    file: FEEDBACK,
    from: 'audit: (entry) => auditOfKeyStep(store, { ...entry, keyId }),',
    to: "audit: (entry) => auditStep(store, { ...entry, by: { name: 'api', address: null } }),",
  },
  {
    breaks: 'what is unconfirmed to Twilio takes back what was said',
    file: 'src/http/twilio/operations.ts',
    from: "{ confirmed: 'good', unconfirmed: null }",
    to: "{ confirmed: 'good', unconfirmed: 'fraud' }",
  },
  {
    breaks: 'a verdict takes its own time',
    file: 'src/store/shared/verdict.ts',
    from: 'verdict_at = CAST($4 AS BIGINT)',
    to: 'verdict_at = coalesce(verdict_at, CAST($4 AS BIGINT))',
  },
  {
    breaks: 'a verdict goes with what is erased',
    file: 'src/store/sqlite/verifications/erase.ts',
    from: `guesses_left, created_at, expires_at)
    SELECT rowid, 'erased ' || rowid, '', '', test, '', '', destination_hash,
      previous_destination_hash, '', '', 0, created_at, created_at`,
    to: `guesses_left, created_at, expires_at, verdict)
    SELECT rowid, 'erased ' || rowid, '', '', test, '', '', destination_hash,
      previous_destination_hash, '', '', 0, created_at, created_at, verdict`,
  },
  {
    breaks: 'viewers say nothing',
    file: 'src/portal/routes.ts',
    from: "feedback', as('developer'), 'judgeVerification'",
    to: "feedback', as('viewer'), 'judgeVerification'",
  },
];
