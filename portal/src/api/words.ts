/** Words for people in place of those that the problem catalogue has for programs. */

interface Words {
  readonly title: string;
  readonly text: string;
}

/** By name in the catalogue; the other problems already suit people. */
export const WORDS: Readonly<Record<string, Words>> = {
  'invalid-request': {
    title: 'Please check your entries',
    text: 'Nothing was changed.',
  },
  'malformed-http': {
    title: 'The service could not read the request',
    text: 'Reload the page and try again.',
  },
  'https-required': {
    title: 'The connection is not encrypted',
    text: 'Open the portal at its address that starts with https.',
  },
  'proof-needed': {
    title: 'Confirm that it is you',
    text: 'Enter your password, use a passkey, or sign out and in again.',
  },
  'cross-site': {
    title: 'The service does not recognise this page',
    text: 'Reload the page. If that does not help, a proxy may be changing the address.',
  },
  'not-signed-in': {
    title: 'You were signed out',
    text: 'Nothing was changed. Sign in, then do it again.',
  },
  'not-found': {
    title: 'Not found',
    text: 'It does not exist, or you do not have access to it.',
  },
  'method-not-allowed': {
    title: 'The service cannot do that',
    text: 'Reload the page: the service may have been upgraded.',
  },
  'request-timeout': {
    title: 'The request took too long',
    text: 'Your connection may be slow. Try again.',
  },
  'too-many-attempts': {
    title: 'Too many sign-in attempts',
    text: 'This attempt was not checked.',
  },
  'asked-too-often': {
    title: 'You asked too often',
    text: 'Nothing was done.',
  },
  'rate-limited': {
    title: 'Too many tests at once',
    text: 'Nothing was sent.',
  },
  'quota-exceeded': {
    title: 'Too many messages to this number',
    text: 'It has reached the limit of what may be sent to one number. Nothing was sent.',
  },
  'budget-exhausted': {
    title: 'A budget is used up',
    text: 'The message could cost more than is left of a budget. “Explain a number” shows which. Nothing was sent.',
  },
  guarded: {
    title: 'The guard refuses this number',
    text: 'A rule on the page “Guard” stops messages to it. Nothing was sent.',
  },
  outdated: {
    title: 'Somebody changed it in the meantime',
    text: 'Nothing was saved, so that their change is not lost. What you typed stays here until you load what is there now.',
  },
  'idempotency-in-progress': {
    title: 'It was asked for before',
    text: 'Close this and look at the list: it shows what became of it. If it is not there, nothing was sent.',
  },
  'idempotency-key-reused': {
    title: 'Something else was asked for before',
    text: 'Nobody knows yet what became of that. Close this and look at the list before you send another.',
  },
  internal: {
    title: 'Something went wrong in the service',
    text: 'Try again. If it happens again, tell your administrator.',
  },
  overloaded: {
    title: 'The service is busy',
    text: 'Nothing was changed.',
  },
  'outcome-unknown': {
    title: 'Your change may not have been saved',
    text: 'The service was interrupted while saving. Reload the page to see what changed.',
  },
  unavailable: {
    title: 'The service cannot save right now',
    text: 'Nothing was changed.',
  },
};

/** What the fields of the API are called on the page. */
const FIELDS: Readonly<Record<string, string>> = {
  before: 'the position in the list',
  channels: 'channels',
  code: 'the code',
  current: 'the current password',
  destination: 'the number',
  email: 'the email address',
  expires_at: 'the expiry',
  from: 'the start',
  name: 'the name',
  number: 'the number',
  overlap_minutes: 'the overlap',
  password: 'the password',
  prefix: 'the range',
  query: 'the search',
  reason: 'the reason',
  response: 'the passkey',
  'restrictions.channels': 'channels',
  'restrictions.countries': 'countries',
  'restrictions.sources': 'source addresses',
  role: 'the role',
  to: 'the end',
  token: 'the link',
  types: 'the events',
  until: 'the end',
  url: 'the address',
  'webhooks.privateNetworks': 'the private networks that the operator allows',
};

/** What is wrong with a field, with words for the fields and without marks around an option of the configuration. */
export const plainWords = (detail: string): string =>
  detail.replaceAll(
    /`([\w.]+)`/g,
    (_, name: string) => FIELDS[name] ?? (name.includes('.') ? name : 'another field'),
  );

/** A sentence such as `The name is required.` */
export function sentenceOf(field: string, detail: string): string {
  const subject = FIELDS[field] ?? 'one of the fields';
  return `${subject.charAt(0).toUpperCase()}${subject.slice(1)} ${detail}.`;
}
