import { Code } from '@mantine/core';
import { Fact } from '../../parts/fact.tsx';
import css from './lost-access.module.css';

/** What somebody can do who cannot sign in. Nobody gets in by mail: whoever reads it would. */
export function LostAccess() {
  return (
    <details className={css.lost}>
      <summary>Lost access?</summary>
      <dl className={css.ways}>
        <Fact name="Your authenticator is gone">
          Sign in with your password, then use a recovery code in place of the six digits. Each works once.
        </Fact>
        <Fact name="Your password or your passkey is gone">
          Sign in another way that you set up. If there is none, ask whoever runs this service for a reset
          link. It works once, for an hour. It takes authenticator, passkeys and recovery codes off, so set
          them up again.
        </Fact>
        <Fact name="You are not a member any more">Ask an owner of the account for an invitation.</Fact>
        <Fact name="You run this service">
          On its machine or in its container, while it runs, this prints a reset link:{' '}
          <Code>npm run -s countersign -- portal reset --email you@example.com</Code> If an account has no
          owner who can sign in, this prints an invitation:{' '}
          <Code>npm run -s countersign -- portal invite --email you@example.com --role owner</Code>
        </Fact>
      </dl>
    </details>
  );
}
