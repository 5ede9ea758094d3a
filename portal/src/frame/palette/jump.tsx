import { Button } from '@mantine/core';
import { useCallback, useEffect, useState } from 'react';
import { useLocation } from 'wouter';
import type { Me } from '#contract/me.ts';
import { AccountContext, lastAccountOf } from '../account.ts';
import { Boundary } from '../broken/boundary.tsx';
import { BrokenDialog } from '../broken/broken.tsx';
import { lazyPage } from '../broken/lazy-page.tsx';
import css from './palette.module.css';

const Palette = lazyPage(() => import('./palette.tsx'), null);

const IS_APPLE = /Mac|iPhone|iPad/.test(navigator.userAgent);

/** Whether the palette is open; Ctrl-K and Cmd-K open it too. */
export function useJump() {
  const [isOpen, setOpen] = useState(false);
  const open = useCallback(() => setOpen(true), []);
  const close = useCallback(() => setOpen(false), []);
  useEffect(() => {
    function onKey(event: KeyboardEvent): void {
      const { key, ctrlKey, metaKey, altKey, shiftKey } = event;
      if (key.toLowerCase() !== 'k' || !(ctrlKey || metaKey) || altKey || shiftKey) return;
      event.preventDefault();
      // An open dialog comes first: it may show something only once.
      if (document.querySelector('dialog[open]') === null) open();
    }
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, [open]);
  return { isOpen, open, close };
}

interface JumpProps {
  readonly me: Me;
  readonly jump: ReturnType<typeof useJump>;
}

/** The palette while it is open. */
export function Jump({ me, jump: { isOpen, close } }: JumpProps) {
  const [location] = useLocation();
  if (!isOpen) return null;
  return (
    <Boundary
      at={location}
      fallback={(error) => <BrokenDialog title="Jump to" error={error} onClose={close} />}
    >
      <Palette me={me} onClose={close} />
    </Boundary>
  );
}

/** On pages that belong to no account it leads to those of the last one. */
export function JumpBack({ me }: { readonly me: Me }) {
  const jump = useJump();
  const account = lastAccountOf(me);
  return (
    account !== undefined && (
      <AccountContext value={account}>
        <Jump me={me} jump={jump} />
      </AccountContext>
    )
  );
}

interface JumpButtonProps {
  readonly open: () => void;
  /** Beside the pages, where it looks like a field to search in. */
  readonly wide?: boolean;
}

export function JumpButton({ open, wide = false }: JumpButtonProps) {
  return (
    <Button
      variant="default"
      size="sm"
      {...(wide && { fullWidth: true, justify: 'space-between', className: css.wide })}
      aria-haspopup="dialog"
      aria-keyshortcuts="Control+K Meta+K"
      onClick={open}
    >
      Jump to…
      {wide && (
        <span className={css.keys} aria-hidden="true">
          {IS_APPLE ? '⌘K' : 'Ctrl K'}
        </span>
      )}
    </Button>
  );
}
