/**
 * Every page of the portal: where it is, what it is called, who sees it, and the guide to it. The router, the navigation, the palette and
 * the links to guides are made from this.
 */
import type { ComponentType } from 'react';
import type { Role } from '#contract';
import type { Me } from '#contract/me.ts';
import { lazyPage } from './frame/broken/lazy-page.tsx';

interface PageOfAccount {
  /** Below the account. */
  readonly path: string;
  readonly name: string;
  /** The lowest role that it is offered to. */
  readonly least: Role;
  /** The guide, or the part of one that is about it. */
  readonly guide: string;
  /** Its sign, on a grid of 16 and in lines of the text's colour. */
  readonly sign: string;
  /** The palette finds it by these, too: what people come to do. */
  readonly words: string;
  readonly Page: ComponentType<{ me: Me }>;
  /** The page of one of what it lists, by its id in the path. */
  readonly One?: ComponentType<{ id: string }>;
}

/** By what people come for. */
export const SECTIONS: readonly { readonly name: string; readonly pages: readonly PageOfAccount[] }[] = [
  {
    name: 'Traffic',
    pages: [
      {
        ...{ path: 'overview', name: 'Overview', least: 'viewer' },
        words: 'cost price spent conversion yesterday carriers countries',
        guide: 'portal#what-the-overview-counts',
        sign: 'M2.5 13.5v-4M6.2 13.5v-7M9.8 13.5v-5M13.5 13.5v-11',
        Page: lazyPage(() => import('./pages/overview/page.tsx')),
      },
      {
        ...{ path: 'verifications', name: 'Verifications', least: 'viewer' },
        words: 'code sent received number phone',
        guide: 'portal#finding-things',
        sign: 'M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12zM5.4 8.2l1.9 1.8 3.3-3.7',
        Page: lazyPage(() => import('./pages/verifications/page.tsx')),
        One: lazyPage(() => import('./pages/verification/page.tsx')),
      },
      {
        ...{ path: 'carriers', name: 'Carriers', least: 'viewer' },
        words: 'route add test price configuration',
        guide: 'portal#carriers-and-routes',
        sign: 'M8 14V7.5M5.5 10a3.5 3.5 0 1 1 5 0M3.4 12.1a6.5 6.5 0 1 1 9.2 0',
        Page: lazyPage(() => import('./pages/carriers/page.tsx')),
      },
      {
        ...{ path: 'alerts', name: 'Alerts', least: 'viewer' },
        words: 'mail webhook notify',
        guide: 'alerts',
        sign: 'M4 11V7a4 4 0 0 1 8 0v4l1.2 1.5H2.8zM6.7 14.3h2.6',
        Page: lazyPage(() => import('./pages/alerts/page.tsx')),
      },
    ],
  },
  {
    name: 'Protect',
    pages: [
      {
        ...{ path: 'guard', name: 'Guard', least: 'viewer' },
        words: 'rule deny allow pause fraud pumping',
        guide: 'guard',
        sign: 'M8 1.8l5 1.9v4c0 3.2-2.1 5.4-5 6.5-2.9-1.1-5-3.3-5-6.5v-4z',
        Page: lazyPage(() => import('./pages/guard/page.tsx')),
      },
      {
        ...{ path: 'countries', name: 'Countries', least: 'viewer' },
        words: 'stop allow price sender conversion',
        guide: 'destinations#countries',
        sign: 'M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12zM2 8h12M8 2c2 1.8 2.6 3.8 2.6 6S10 12.2 8 14C6 12.2 5.4 10.2 5.4 8S6 3.8 8 2z',
        Page: lazyPage(() => import('./pages/countries/page.tsx')),
      },
      {
        ...{ path: 'do-not-send', name: 'Do not send', least: 'viewer' },
        words: 'block stop opt out number',
        guide: 'do-not-send',
        sign: 'M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12zM3.8 3.8l8.4 8.4',
        Page: lazyPage(() => import('./pages/do-not-send/page.tsx')),
      },
    ],
  },
  {
    name: 'Build',
    pages: [
      {
        ...{ path: 'handset', name: 'Handset', least: 'viewer' },
        words: 'test simulator first code',
        guide: 'api',
        sign: 'M5 1.8h6a1 1 0 0 1 1 1v10.4a1 1 0 0 1-1 1H5a1 1 0 0 1-1-1V2.8a1 1 0 0 1 1-1zM7.2 11.8h1.6',
        Page: lazyPage(() => import('./pages/handset/page.tsx')),
      },
      {
        ...{ path: 'keys', name: 'API keys', least: 'viewer' },
        words: 'create rotate revoke secret token',
        guide: 'keys',
        sign: 'M7.3 8.7l6.2-6.2M11.2 4.8l2 2M5.2 13.8a3 3 0 1 0 0-6 3 3 0 0 0 0 6z',
        Page: lazyPage(() => import('./pages/keys/page.tsx')),
      },
      {
        ...{ path: 'webhooks', name: 'Webhooks', least: 'viewer' },
        words: 'add endpoint events secret',
        guide: 'webhooks',
        sign: 'M9.5 2.5h4v4M13.5 2.5L8 8M11.5 9.5v3a1 1 0 0 1-1 1h-7a1 1 0 0 1-1-1v-7a1 1 0 0 1 1-1h3',
        Page: lazyPage(() => import('./pages/webhooks/page.tsx')),
        One: lazyPage(() => import('./pages/webhook/page.tsx')),
      },
    ],
  },
  {
    name: 'Account',
    pages: [
      {
        ...{ path: 'people', name: 'People', least: 'viewer' },
        words: 'invite add colleague member role owner developer viewer',
        guide: 'portal#accounts-and-roles',
        sign: 'M6 7.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5zM1.8 13.5c0-2.3 1.9-4 4.2-4s4.2 1.7 4.2 4M10.8 2.8a2.4 2.4 0 0 1 0 4.4M12 9.9c1.4.6 2.3 1.9 2.3 3.6',
        Page: lazyPage(() => import('./pages/people/page.tsx')),
      },
      {
        ...{ path: 'audit', name: 'Audit log', least: 'developer' },
        words: 'who changed history',
        guide: 'audit-log',
        sign: 'M4 2h8a1 1 0 0 1 1 1v10a1 1 0 0 1-1 1H4a1 1 0 0 1-1-1V3a1 1 0 0 1 1-1zM5.7 5.5h4.6M5.7 8h4.6M5.7 10.5h2.6',
        Page: lazyPage(() => import('./pages/audit/page.tsx')),
      },
      {
        ...{ path: 'data-requests', name: 'Data requests', least: 'owner' },
        words: 'erase export personal GDPR',
        guide: 'personal-data#answering-a-request',
        sign: 'M8 2v7M5.2 6.5L8 9.3l2.8-2.8M2.5 10.5v2a1 1 0 0 0 1 1h9a1 1 0 0 0 1-1v-2',
        Page: lazyPage(() => import('./pages/data-requests/page.tsx')),
      },
      {
        ...{ path: 'settings', name: 'Settings', least: 'viewer' },
        words: 'limit raise length validity brand name language',
        guide: 'keys#settings-of-an-account',
        sign: 'M2.5 4.5h6M12 4.5h1.5M10.2 6.2a1.7 1.7 0 1 0 0-3.4 1.7 1.7 0 0 0 0 3.4zM2.5 11.5H4M7.5 11.5h6M5.8 13.2a1.7 1.7 0 1 0 0-3.4 1.7 1.7 0 0 0 0 3.4z',
        Page: lazyPage(() => import('./pages/settings/page.tsx')),
      },
    ],
  },
];

interface OwnPage extends Pick<PageOfAccount, 'path' | 'name' | 'least' | 'Page'> {
  readonly guide?: string;
  readonly words?: string;
}

/** Somebody's own, which belong to no account. */
export const OWN_PAGES: readonly OwnPage[] = [
  {
    ...{ path: 'me', name: 'Your sign-in', words: 'me password passkey', least: 'viewer' },
    guide: 'portal#signing-in',
    Page: lazyPage(() => import('./pages/me/page.tsx')),
  },
  {
    ...{ path: 'new-account', name: 'Add an account', least: 'owner' },
    Page: lazyPage(() => import('./pages/new-account/page.tsx')),
  },
];

interface OpenPage {
  readonly path: string;
  readonly guide?: string;
  readonly Page: ComponentType;
}

/** For people who are not signed in. */
export const OPEN_PAGES: readonly OpenPage[] = [
  {
    ...{ path: 'sign-in', guide: 'portal#signing-in' },
    Page: lazyPage(() => import('./pages/sign-in/page.tsx')),
  },
  {
    ...{ path: 'setup', guide: 'portal#the-first-owner' },
    Page: lazyPage(() => import('./pages/setup/page.tsx')),
  },
  {
    ...{ path: 'reset', guide: 'portal#lost-access' },
    Page: lazyPage(() => import('./pages/reset/page.tsx')),
  },
  { path: 'invitation', Page: lazyPage(() => import('./pages/invitation/page.tsx')) },
];

/** Leads to one of them. */
export const Home = lazyPage(() => import('./pages/home/page.tsx'));
export const NotFound = lazyPage(() => import('./pages/not-found/page.tsx'));

const GUIDES = new Map(
  [...SECTIONS.flatMap(({ pages }) => pages), ...OWN_PAGES, ...OPEN_PAGES].map(({ path, guide }) => [
    path,
    guide,
  ]),
);

/** The guide to the page at an address. */
export function guideOf(location: string): string {
  const [, path = ''] = /^\/(?:accounts\/[^/]+\/)?([^/]+)/.exec(location) ?? [];
  return GUIDES.get(path) ?? 'portal';
}
