import { Button } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useLocation } from 'wouter';
import type { Me } from '#contract/me.ts';
import { Dialog } from '../parts/dialog/dialog.tsx';
import { Loading } from '../parts/page/loading.tsx';
import { Brand } from './brand.tsx';
import { Boundary } from './broken/boundary.tsx';
import { Broken } from './broken/broken.tsx';
import css from './frame.module.css';
import { Navigation } from './navigation.tsx';
import { Jump, JumpButton, useJump } from './palette/jump.tsx';
import { SimulatedNotice, useStart } from './simulated.tsx';

/** Navigation beside the page, or behind a button on a narrow screen. */
export function Frame({ me, children }: { readonly me: Me; readonly children: ReactNode }) {
  const [location] = useLocation();
  const [menuOn, setMenuOn] = useState<string>();
  const jump = useJump();
  // What it says decides what stands above the page: nothing is to move when it comes. If it fails, the page stands alone.
  const { isPending, failureCount } = useStart();
  const isHeld = isPending && failureCount === 0;
  return (
    <div className={css.frame}>
      <a className={css.skip} href="#page">
        Skip to content
      </a>
      <aside className={css.side}>
        <Brand />
        <JumpButton open={jump.open} wide />
        <Navigation me={me} />
      </aside>
      <header className={css.bar}>
        <Brand />
        <div className={css.tools}>
          <JumpButton open={jump.open} />
          <Button variant="default" size="sm" aria-haspopup="dialog" onClick={() => setMenuOn(location)}>
            Menu
          </Button>
        </div>
      </header>
      {/* Going to another page closes it. */}
      {menuOn === location && (
        <Dialog title="Menu" place="side" onClose={() => setMenuOn(undefined)}>
          <Navigation me={me} />
        </Dialog>
      )}
      <Jump me={me} jump={jump} />
      <main id="page" className={css.page} tabIndex={-1}>
        {isHeld && (
          <div className={css.over}>
            <Loading />
          </div>
        )}
        <div className={isHeld ? css.held : undefined}>
          <SimulatedNotice />
          <Boundary at={location} fallback={(error) => <Broken error={error} />}>
            {children}
          </Boundary>
        </div>
      </main>
    </div>
  );
}
