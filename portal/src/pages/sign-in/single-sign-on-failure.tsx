import { Alert } from '@mantine/core';
import type { SingleSignOnFault } from '#contract/oidc.ts';

/** Each ends with what people can do about it. */
const FAULTS: Readonly<Record<SingleSignOnFault, string>> = {
  unreachable: 'The provider does not answer. Try again later, or sign in another way.',
  denied: 'The provider refused the sign-in, or you cancelled it. Try again, or sign in another way.',
  invalid:
    'The provider’s answer cannot be trusted. Your administrator can find the reason in the service’s log.',
  restart: 'It was started in another window or browser, or too long ago. Start again.',
  unverified: 'The provider has not verified your email address. Verify it there, then try again.',
  unknown: 'Nobody here has the email address that you use there. Ask an owner of the account to invite you.',
  'linked-otherwise':
    'Your email address is linked to another account at that provider. If that account is yours too, sign in another way and unlink it on your own page.',
  limited: 'There were too many attempts from your network. Wait a few minutes, then try again.',
};

/** Why single sign-on failed; nothing for an unknown code. */
export function SingleSignOnFailure({ fault }: { readonly fault: string }) {
  const text = new Map(Object.entries(FAULTS)).get(fault);
  if (text === undefined) return null;
  return (
    <Alert color="red" title="Single sign-on failed" role="alert">
      <p>{text}</p>
    </Alert>
  );
}
