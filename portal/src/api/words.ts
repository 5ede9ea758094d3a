/** What people read where the catalogue of problems speaks to programs. */

interface Words {
  readonly title: string;
  readonly text: string;
}

/** By the name in the catalogue; the words of the others are for people as they are. */
export const WORDS: Readonly<Record<string, Words>> = {
  'invalid-request': {
    title: 'Something has to be corrected',
    text: 'Nothing was changed.',
  },
  'malformed-http': {
    title: 'The service could not read that',
    text: 'Load the page again, then try once more.',
  },
  'https-required': {
    title: 'The connection is not encrypted',
    text: 'Open the portal at its address that begins with https.',
  },
  'proof-needed': {
    title: 'Prove that it is you',
    text: 'Give your password or a passkey, or sign out and in again.',
  },
  'cross-site': {
    title: 'The service does not know this page as its own',
    text: 'Load the page again. If that does not help, a proxy in between changes the address.',
  },
  'not-signed-in': {
    title: 'You are signed out',
    text: 'Sign in again.',
  },
  'not-found': {
    title: 'There is nothing here',
    text: 'It does not exist, or you may not see it.',
  },
  'method-not-allowed': {
    title: 'The service cannot do that',
    text: 'Load the page again: the service may have been upgraded.',
  },
  'request-timeout': {
    title: 'It took too long',
    text: 'The connection was too slow. Try again.',
  },
  'too-many-attempts': {
    title: 'Too many attempts to sign in',
    text: 'This one was not looked at.',
  },
  internal: {
    title: 'The service made a mistake',
    text: 'Try again, and tell whoever runs the service if it happens again.',
  },
  overloaded: {
    title: 'The service is busy',
    text: 'Nothing was changed.',
  },
  'outcome-unknown': {
    title: 'It is unknown whether that was saved',
    text: 'The service broke off while it was saving. Load the page again to see what was changed.',
  },
  unavailable: {
    title: 'The service cannot save just now',
    text: 'Nothing was changed.',
  },
};

/** The names of fields in the API, and what they are called on the page. */
const FIELDS: Readonly<Record<string, string>> = {
  before: 'the place in the list',
  channels: 'channels',
  code: 'the code',
  current: 'the current password',
  email: 'the address',
  expires_at: 'the expiry',
  from: 'the beginning',
  name: 'the name',
  overlap_minutes: 'the overlap',
  password: 'the password',
  query: 'what you look for',
  response: 'the passkey',
  'restrictions.channels': 'channels',
  'restrictions.countries': 'countries',
  'restrictions.sources': 'source addresses',
  role: 'the role',
  to: 'the end',
  token: 'the link',
};

/** `field` is wrong because it `detail`: as a sentence. */
export function sentenceOf(field: string, detail: string): string {
  const said = detail.replaceAll(/`([\w.]+)`/g, (_, name: string) => FIELDS[name] ?? 'another entry');
  const subject = FIELDS[field] ?? 'one of the entries';
  return `${subject.charAt(0).toUpperCase()}${subject.slice(1)} ${said}.`;
}
