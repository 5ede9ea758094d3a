import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useEffect, useState } from 'react';
import { Redirect, useLocation } from 'wouter';
import type { Me } from '#contract/me.ts';
import { useAsk } from '../api/hooks.ts';
import { Problem } from '../api/problem.ts';
import { onSignedOut } from '../api/signed-out.ts';
import { Failure } from '../parts/page/failure.tsx';
import { Loading } from '../parts/page/loading.tsx';
import { forgetChanges } from '../parts/unsaved/leave.ts';
import { lazyPage } from './broken/lazy-page.tsx';
import { ProofProvider } from './proof/provider.tsx';
import css from './signed-in.module.css';

const SignInAgain = lazyPage(() => import('../pages/sign-in/again.tsx'), null);

/**
 * Shows its pages to people who are signed in; others sign in first and come back. If a session ends while its page is open, the page is
 * hidden and kept, with what was typed, until the same person signs in again.
 */
export function SignedIn({ children }: { readonly children: (me: Me) => ReactNode }) {
  const [location, navigate] = useLocation();
  const client = useQueryClient();
  const me = useAsk('GET me', {});
  const { data, error, refetch, dataUpdatedAt } = me;

  /** When the last answer of an ended session came: only a newer answer means that there is another session. */
  const [ended, setEnded] = useState<number>();
  if (error instanceof Problem && error.status === 401 && ended !== dataUpdatedAt) setEnded(dataUpdatedAt);
  const isOut = ended === dataUpdatedAt;
  const signIn = `/sign-in?back=${encodeURIComponent(location + window.location.search)}`;

  /** Whose page it is. */
  const [person, setPerson] = useState(data?.id);
  if (person === undefined && data !== undefined) setPerson(data.id);
  const isOther = data !== undefined && person !== undefined && data.id !== person;
  useEffect(() => {
    // Loads the page again, so that nothing of the last person stays in memory.
    if (isOther) window.location.replace('/portal/');
  }, [isOther]);

  useEffect(() => (isOut ? undefined : onSignedOut(() => void refetch())), [isOut, refetch]);

  async function goOn(): Promise<void> {
    const answer = await refetch();
    if (answer.data?.id === person) await client.invalidateQueries();
  }
  function leave(): void {
    forgetChanges();
    navigate(signIn);
    client.clear();
  }

  if (isOther) return <Loading />;
  if (data !== undefined) {
    return (
      <>
        <div className={isOut ? css.hidden : css.shown}>
          <ProofProvider me={data}>{children(data)}</ProofProvider>
        </div>
        {isOut && <SignInAgain done={goOn} leave={leave} />}
      </>
    );
  }
  if (isOut) return <Redirect to={signIn} replace />;
  if (me.isError) {
    return (
      <main>
        <Failure error={error} retry={refetch} />
      </main>
    );
  }
  return <Loading />;
}
