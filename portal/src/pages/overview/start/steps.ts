import type { Start } from '#contract/start.ts';

interface FirstStep {
  readonly of: Exclude<keyof Start, 'dismissed'>;
  readonly title: string;
  readonly about: string;
  /** A page of the account, or one that begins with a slash. */
  readonly page?: string;
}

/** In the order in which a newcomer takes them. */
export const FIRST_STEPS: readonly FirstStep[] = [
  {
    of: 'key',
    title: 'Make a key',
    about: 'A test key sends to the handset on these pages; a live key sends to telephones.',
    page: 'keys',
  },
  {
    of: 'code',
    title: 'See a code arrive',
    about: 'Send one to the handset with a test key, and type it in.',
    page: 'handset',
  },
  {
    of: 'carrier',
    title: 'Configure a carrier',
    about:
      'Whoever runs the service adds it to the configuration; the page “Carriers” writes the lines. Until then live keys reach no telephone.',
    page: 'carriers',
  },
  {
    of: 'sent',
    title: 'Send a first real message',
    about: 'With a live key, to your own number.',
    page: 'verifications',
  },
  {
    of: 'alerts',
    title: 'Have somebody told of alerts',
    about: 'By mail or in a chat, when conversion falls, spend rises or somebody becomes an owner.',
    page: 'alerts',
  },
  {
    of: 'colleague',
    title: 'Invite a colleague',
    about: 'So that somebody else can look when you are away.',
    page: 'people',
  },
  {
    of: 'second_factor',
    title: 'Turn on a second factor',
    about: 'An authenticator or a passkey protects these pages, and with them your keys.',
    page: '/me',
  },
];
