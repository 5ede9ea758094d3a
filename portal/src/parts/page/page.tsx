import { Anchor, Group, Text, Title } from '@mantine/core';
import { type ReactNode, type RefObject, useEffect, useRef, useState } from 'react';
import { Link } from 'wouter';
import { Explain } from '../explain.tsx';
import css from './page.module.css';

export interface PageProps {
  readonly title: string;
  /** What it is for, in a sentence or two. */
  readonly about?: ReactNode;
  readonly actions?: ReactNode;
  /** The page above this one. */
  readonly above?: { readonly name: string; readonly to: string };
  readonly children: ReactNode;
}

/** The heading also names the tab, and takes the focus, so that a screen reader reads it. */
export function Page({ title, about, actions, above, children }: PageProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${title} · Countersign`;
    heading.current?.focus({ preventScroll: true });
    window.scrollTo(0, 0);
  }, [title]);
  const body = useRef<HTMLDivElement>(null);
  const isOpening = useOpening(body);
  return (
    <>
      <header className={css.head}>
        {above !== undefined && (
          <nav aria-label="Breadcrumb" className={css.trail}>
            <Anchor component={Link} href={above.to} size="sm" c="dimmed">
              {above.name}
            </Anchor>
            <span aria-hidden="true">/</span>
          </nav>
        )}
        <div className={css.line}>
          <div className={css.words}>
            <Title order={1} size="h2" ref={heading} tabIndex={-1} className={css.heading}>
              {title}
            </Title>
            {about !== undefined && (
              <Text c="dimmed" component="div" className={css.about}>
                {about}
              </Text>
            )}
          </div>
          {actions}
        </div>
      </header>
      <div className={isOpening ? `${css.body} ${css.opening}` : css.body} ref={body}>
        {children}
      </div>
    </>
  );
}

/** What is slow keeps back what stands below it for so long at most. */
const OPENING_MS = 2_000;

/** Until all of the page was there once. */
function useOpening(body: RefObject<HTMLElement | null>): boolean {
  const [isOpening, setOpening] = useState(true);
  useEffect(() => {
    const look = () => {
      if (body.current?.querySelector('[role=status][aria-label=Loading]') === null) setOpening(false);
    };
    const watch = new MutationObserver(look);
    if (isOpening && body.current !== null) watch.observe(body.current, { childList: true, subtree: true });
    look();
    const timer = setTimeout(() => setOpening(false), OPENING_MS);
    return () => {
      watch.disconnect();
      clearTimeout(timer);
    };
  }, [body, isOpening]);
  return isOpening;
}

interface SectionProps extends Omit<PageProps, 'above'> {
  /** What its figures mean. */
  readonly explain?: string;
  /** On a wide screen its words stand beside what it holds: for forms. */
  readonly beside?: boolean;
}

export function Section({ title, about, actions, explain, beside = false, children }: SectionProps) {
  return (
    <section className={beside ? `${css.section} ${css.beside}` : css.section}>
      <Group justify="space-between" align="flex-end" gap="sm" className={css.sectionHead}>
        <div className={css.words}>
          <div className={css.title}>
            <Title order={2} size="h4">
              {title}
            </Title>
            {explain !== undefined && <Explain what={title}>{explain}</Explain>}
          </div>
          {about !== undefined && (
            <Text c="dimmed" size="sm" component="div" className={css.about}>
              {about}
            </Text>
          )}
        </div>
        {actions}
      </Group>
      <div className={css.held}>{children}</div>
    </section>
  );
}
