import { Alert, Button } from '@mantine/core';
import { useEffect, useState } from 'react';
import { Loading } from '../parts/loading.tsx';
import { Page } from '../parts/page.tsx';
import { type Absence, reloadByItself, whyAbsent } from './build.ts';
import { PageNotLoaded } from './lazy-page.ts';

const WORDS: Readonly<Record<Absence | 'fault', { readonly title: string; readonly text: string }>> = {
  away: {
    title: 'The service does not answer',
    text: 'Check that it runs and that this machine reaches it, then load the page again.',
  },
  upgraded: {
    title: 'The portal was upgraded',
    text: 'Load the page again to go on with the new version.',
  },
  missing: {
    title: 'A part of this page is missing',
    text: 'Load the page again. If that does not help, the portal has to be built again where the service is installed.',
  },
  fault: {
    title: 'Something went wrong on this page',
    text: 'Load it again, and tell whoever runs the service if it goes wrong again.',
  },
};

/** In the place of a page that cannot be shown. What an upgrade took away is loaded again by itself. */
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
    // Else the browser would show an error page of its own in the place of the portal.
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
          Load the page again
        </Button>
      </Alert>
    </Page>
  );
}
