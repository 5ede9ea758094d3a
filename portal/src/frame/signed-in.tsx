import type { ReactNode } from 'react';
import { Redirect, useLocation } from 'wouter';
import type { Me } from '#contract/me.ts';
import { useAsk } from '../api/hooks.ts';
import { Problem } from '../api/problem.ts';
import { Failure } from '../parts/page/failure.tsx';
import { Loading } from '../parts/page/loading.tsx';
import { ProofProvider } from './proof/provider.tsx';

/** Shows its pages to people who are signed in; others sign in first and come back. */
export function SignedIn({ children }: { readonly children: (me: Me) => ReactNode }) {
  const [location] = useLocation();
  const me = useAsk('GET me', {});
  if (me.error instanceof Problem && me.error.status === 401) {
    const back = encodeURIComponent(location + window.location.search);
    return <Redirect to={`/sign-in?back=${back}`} replace />;
  }
  if (me.data !== undefined) return <ProofProvider me={me.data}>{children(me.data)}</ProofProvider>;
  if (me.isError) {
    return (
      <main>
        <Failure error={me.error} retry={me.refetch} />
      </main>
    );
  }
  return <Loading />;
}
