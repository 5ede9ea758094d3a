import { Group, Text, Title } from '@mantine/core';
import { type ReactNode, useEffect, useRef } from 'react';
import { Explain } from '../explain.tsx';
import css from './page.module.css';

export interface PageProps {
  readonly title: string;
  /** What it is for, in a sentence or two. */
  readonly about?: ReactNode;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

/** The heading also names the tab, and takes the focus, so that a screen reader reads it. */
export function Page({ title, about, actions, children }: PageProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${title} · Countersign`;
    heading.current?.focus({ preventScroll: true });
    window.scrollTo(0, 0);
  }, [title]);
  return (
    <>
      <Group className={css.head} justify="space-between" align="flex-start">
        <div>
          <Title order={1} size="h2" ref={heading} tabIndex={-1} className={css.heading}>
            {title}
          </Title>
          {about !== undefined && (
            <Text c="dimmed" maw="42rem">
              {about}
            </Text>
          )}
        </div>
        {actions}
      </Group>
      <div className={css.body}>{children}</div>
    </>
  );
}

interface SectionProps extends PageProps {
  /** What its figures mean. */
  readonly explain?: string;
}

export function Section({ title, about, actions, explain, children }: SectionProps) {
  return (
    <section className={css.section}>
      <Group justify="space-between" align="flex-start" mb="sm">
        <div>
          <div className={css.title}>
            <Title order={2} size="h4">
              {title}
            </Title>
            {explain !== undefined && <Explain what={title}>{explain}</Explain>}
          </div>
          {about !== undefined && (
            <Text c="dimmed" size="sm" maw="42rem">
              {about}
            </Text>
          )}
        </div>
        {actions}
      </Group>
      {children}
    </section>
  );
}

/** Sections that stand beside each other on a wide screen. */
export const Pair = ({ children }: { readonly children: ReactNode }) => (
  <div className={css.pair}>{children}</div>
);
