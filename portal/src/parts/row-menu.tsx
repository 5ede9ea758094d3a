import { ActionIcon } from '@mantine/core';
import { type KeyboardEvent, useLayoutEffect, useRef, useState } from 'react';
import css from './row-menu.module.css';

export interface RowAction {
  readonly name: string;
  readonly act: () => void;
}

interface RowMenuProps {
  /** What the row is about. */
  readonly of: string;
  readonly actions: readonly RowAction[];
}

/** What can be done with one row of a list, behind one button: the browser's own popover, as a menu button (WAI-ARIA APG). */
export function RowMenu({ of, actions }: RowMenuProps) {
  const [isOpen, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const menu = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const [of, opened] = [button.current, menu.current];
    if (!isOpen || opened === null || of === null) return;
    opened.showPopover();
    place(opened, of);
    opened.querySelector('button')?.focus({ preventScroll: true });
    // Otherwise it would stay where its row was.
    const follow = () => {
      if (!place(opened, of)) setOpen(false);
    };
    const listening = new AbortController();
    for (const moved of ['scroll', 'resize']) {
      window.addEventListener(moved, follow, { capture: true, signal: listening.signal });
    }
    return () => {
      listening.abort();
      // The browser gives the focus back where it closes the menu itself, and loses it where the menu is taken away.
      if (document.activeElement === document.body) of.focus();
    };
  }, [isOpen]);
  return (
    <>
      <ActionIcon
        ref={button}
        variant="subtle"
        color="gray"
        aria-label={`Actions for ${of}`}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      >
        <svg viewBox="0 0 16 16" width="16" height="16" fill="currentColor" aria-hidden="true">
          <circle cx="3" cy="8" r="1.4" />
          <circle cx="8" cy="8" r="1.4" />
          <circle cx="13" cy="8" r="1.4" />
        </svg>
      </ActionIcon>
      {isOpen && (
        <div
          ref={menu}
          popover="auto"
          role="menu"
          tabIndex={-1}
          aria-label={`Actions for ${of}`}
          className={css.menu}
          onKeyDown={(event) => {
            if (event.key !== 'Escape') return moveFocus(event);
            // At once: the browser tells of its own closing later, and a key may come between.
            event.preventDefault();
            setOpen(false);
          }}
          onToggle={(event) => {
            if (event.newState === 'closed') setOpen(false);
          }}
        >
          {actions.map(({ name, act }) => (
            <button
              key={name}
              type="button"
              role="menuitem"
              tabIndex={-1}
              className={css.item}
              onClick={() => {
                // Gives the focus back first, so that a dialog gives it back too.
                menu.current?.hidePopover();
                act();
              }}
            >
              {name}
            </button>
          ))}
        </div>
      )}
    </>
  );
}

/** Below its button, or above it where there is no room. False if the button is out of sight. */
function place(menu: HTMLElement, button: HTMLElement): boolean {
  const at = button.getBoundingClientRect();
  const below = at.bottom + menu.offsetHeight + 8 < window.innerHeight;
  menu.style.top = `${below ? at.bottom + 4 : at.top - menu.offsetHeight - 4}px`;
  menu.style.left = `${Math.max(8, at.right - menu.offsetWidth)}px`;
  return at.bottom > 0 && at.top < window.innerHeight;
}

function moveFocus(event: KeyboardEvent<HTMLElement>): void {
  const items = [...event.currentTarget.querySelectorAll('button')];
  const at = items.findIndex((item) => item.matches(':focus'));
  const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: -1 }[event.key];
  if (to !== undefined) {
    event.preventDefault();
    items.at(to % items.length)?.focus();
  } else if (event.key === 'Tab') {
    event.currentTarget.hidePopover();
  }
}
