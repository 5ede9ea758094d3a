import { Redirect } from 'wouter';
import type { Me } from '#contract/me.ts';
import { lastAccountOf } from '../../frame/account.ts';
import { AlonePage } from '../../frame/alone.tsx';

export default function Home({ me }: { readonly me: Me }) {
  const account = lastAccountOf(me);
  if (account !== undefined) return <Redirect to={`/accounts/${account.id}/overview`} replace />;
  return (
    <AlonePage title="You have no account yet">
      <p>
        You are signed in as {me.email}, but you are not a member of any account. Ask an owner to invite you.
      </p>
    </AlonePage>
  );
}
