import { Redirect } from 'wouter';
import type { Me } from '#contract/me.ts';
import { AlonePage } from '../../frame/alone.tsx';

export default function Home({ me }: { readonly me: Me }) {
  const first = me.accounts[0];
  if (first !== undefined) return <Redirect to={`/accounts/${first.id}/overview`} replace />;
  return (
    <AlonePage title="You have no account yet">
      <p>
        You are signed in as {me.email}, but you are not a member of any account. Ask an owner to invite you.
      </p>
    </AlonePage>
  );
}
