import { Alert } from '@mantine/core';
import type { SingleSignOnFault } from '#contract/oidc.ts';

/** What somebody can do about it comes last. */
const FAULTS: Readonly<Record<SingleSignOnFault, string>> = {
  unreachable: 'The provider does not answer. Try again in a while, or sign in otherwise.',
  denied: 'The provider did not let you through, or you cancelled. Try again, or sign in otherwise.',
  invalid:
    'What the provider answered cannot be trusted. Whoever runs this service finds the reason in its log.',
  restart: 'It was begun in another window or browser, or too long ago. Begin again.',
  unverified:
    'The provider does not say that your e-mail address is yours. Have it verified there, then try again.',
  unknown:
    'Nobody here has the e-mail address that you have there. Ask an owner of the account to invite you.',
  'linked-otherwise':
    'Your e-mail address is linked to another account at that provider. If that was yours, sign in otherwise and unlink it on your own page.',
  limited: 'There were too many attempts from where you are. Wait a few minutes, then try again.',
};

/** Why single sign-on led back here; nothing for a code that is none of ours. */
export function SingleSignOnFailure({ fault }: { readonly fault: string }) {
  const text = new Map(Object.entries(FAULTS)).get(fault);
  if (text === undefined) return null;
  return (
    <Alert color="red" title="Single sign-on did not succeed" role="alert">
      <p>{text}</p>
    </Alert>
  );
}
