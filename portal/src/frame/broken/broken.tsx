import { Alert, Button } from '@mantine/core';
import { useEffect, useState } from 'react';
import { Dialog } from '../../parts/dialog/dialog.tsx';
import { Loading } from '../../parts/page/loading.tsx';
import { Page } from '../../parts/page/page.tsx';
import { forgetChanges } from '../../parts/unsaved/leave.ts';
import { PageNotLoaded } from './lazy-page.tsx';

type Reason = Absence | 'fault';

const WORDS: Readonly<Record<Reason, { readonly title: string; readonly text: string }>> = {
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
  const [why, setWhy] = useReason(error, true);
  if (why === undefined) return <Loading />;
  const { title, text } = WORDS[why];
  return (
    <Page title="This page cannot be shown">
      <Alert color="red" title={title} role="alert">
        <p>{text}</p>
        <ReloadButton onAway={() => setWhy('away')} />
      </Alert>
    </Page>
  );
}

interface BrokenDialogProps {
  readonly title: string;
  readonly error: Error;
  readonly onClose: () => void;
}

/** Shown instead of a dialog that failed. It leaves the page below as it is: somebody may have typed there. */
export function BrokenDialog({ title: name, error, onClose }: BrokenDialogProps) {
  const [why, setWhy] = useReason(error, false);
  return (
    <Dialog title={name} onClose={onClose}>
      {why === undefined ? (
        <Loading />
      ) : (
        <Alert color="red" title={WORDS[why].title} role="alert">
          <p>{WORDS[why].text} What you typed on this page is lost then.</p>
          <ReloadButton onAway={() => setWhy('away')} />
        </Alert>
      )}
    </Dialog>
  );
}

/** Undefined until it is known, and while the page reloads, if it may do that by itself after an upgrade. */
function useReason(error: Error, mayReload: boolean) {
  const isAbsent = error instanceof PageNotLoaded;
  const [why, setWhy] = useState<Reason | undefined>(isAbsent ? undefined : 'fault');
  useEffect(() => {
    if (!isAbsent) return;
    let isShown = true;
    whyAbsent().then((absence) => {
      if (isShown && !(absence === 'upgraded' && mayReload && reloadByItself())) setWhy(absence);
    });
    return () => {
      isShown = false;
    };
  }, [isAbsent, mayReload]);
  return [why, setWhy] as const;
}

function ReloadButton({ onAway }: { readonly onAway: () => void }) {
  const [busy, setBusy] = useState(false);
  async function loadAgain(): Promise<void> {
    setBusy(true);
    // Without a service the browser would replace the portal with its own error page.
    if ((await whyAbsent()) === 'away') onAway();
    else {
      forgetChanges();
      window.location.reload();
    }
    setBusy(false);
  }
  return (
    <Button size="xs" variant="default" loading={busy} onClick={loadAgain}>
      Reload the page
    </Button>
  );
}

const ENTRY = /<script type="module"[^>]*\ssrc="([^"]+)"/;
const RELOADED = 'countersign-reloaded';
/** During an upgrade behind a proxy, two versions may take turns: the page must not reload back and forth. */
const ONCE_IN_MS = 60_000;

/** Why a part of the build does not load. */
type Absence = 'away' | 'upgraded' | 'missing';

async function whyAbsent(): Promise<Absence> {
  const served = await fetch('/portal/', { cache: 'no-store' }).catch(() => undefined);
  if (served?.ok !== true) return 'away';
  const entry = ENTRY.exec(await served.text())?.[1];
  const own = document.querySelector('script[type=module]')?.getAttribute('src');
  return entry === own ? 'missing' : 'upgraded';
}

/** Reloads the page unless it did so just now; returns whether it does. */
function reloadByItself(): boolean {
  if (Date.now() - Number(sessionStorage.getItem(RELOADED)) < ONCE_IN_MS) return false;
  sessionStorage.setItem(RELOADED, String(Date.now()));
  window.location.reload();
  return true;
}
