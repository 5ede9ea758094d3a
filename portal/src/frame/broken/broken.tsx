import { Alert, Button } from '@mantine/core';
import { useEffect, useState } from 'react';
import { Loading } from '../../parts/page/loading.tsx';
import { Page } from '../../parts/page/page.tsx';
import { type Absence, reloadByItself, whyAbsent } from './build.ts';
import { PageNotLoaded } from './lazy-page.ts';

const WORDS: Readonly<Record<Absence | 'fault', { readonly title: string; readonly text: string }>> = {
  away: {
    title: 'The service does not answer',
    text: 'Check that it is running and that you are connected to it, then reload the page.',
  },
  upgraded: {
    title: 'The portal was upgraded',
    text: 'Reload the page to use the new version.',
  },
  missing: {
    title: 'A part of this page is missing',
    text: 'Reload the page. If that does not help, ask your administrator to build the portal again.',
  },
  fault: {
    title: 'Something went wrong on this page',
    text: 'Reload it. If it happens again, tell your administrator.',
  },
};

/** Shown instead of a page that failed. After an upgrade it reloads by itself. */
export function Broken({ error }: { readonly error: Error }) {
  const isAbsent = error instanceof PageNotLoaded;
  const [why, setWhy] = useState<Absence | 'fault' | undefined>(isAbsent ? undefined : 'fault');
  const [busy, setBusy] = useState(false);
  useEffect(() => {
    if (!isAbsent) return;
    let isShown = true;
    whyAbsent().then((absence) => {
      if (isShown && !(absence === 'upgraded' && reloadByItself())) setWhy(absence);
    });
    return () => {
      isShown = false;
    };
  }, [isAbsent]);
  if (why === undefined) return <Loading />;
  async function loadAgain(): Promise<void> {
    setBusy(true);
    // Without a service the browser would replace the portal with its own error page.
    if ((await whyAbsent()) !== 'away') window.location.reload();
    else setWhy('away');
    setBusy(false);
  }
  const { title, text } = WORDS[why];
  return (
    <Page title="This page cannot be shown">
      <Alert color="red" title={title} role="alert">
        <p>{text}</p>
        <Button size="xs" variant="default" loading={busy} onClick={loadAgain}>
          Reload the page
        </Button>
      </Alert>
    </Page>
  );
}
