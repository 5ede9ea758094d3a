import type { ReactNode } from 'react';
import { Page, type PageProps } from '../parts/page/page.tsx';
import css from './alone.module.css';
import { Brand } from './brand.tsx';
import { Documentation } from './documentation.tsx';

/** The frame of a page outside any account: one narrow column. */
export function Alone({ children, wide = false }: { readonly children: ReactNode; readonly wide?: boolean }) {
  return (
    <div className={wide ? css.wide : css.narrow}>
      <header>
        <Brand />
      </header>
      <main>{children}</main>
      <footer>
        <Documentation />
      </footer>
    </div>
  );
}

export function AlonePage({ wide = false, ...page }: PageProps & { readonly wide?: boolean }) {
  return (
    <Alone wide={wide}>
      <Page {...page} />
    </Alone>
  );
}
