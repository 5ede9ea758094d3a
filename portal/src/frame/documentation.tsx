import { Anchor } from '@mantine/core';
import { useLocation } from 'wouter';

/** The guide to each page, and the part of it that is about the page. */
const GUIDES: Readonly<Record<string, string>> = {
  overview: 'portal#what-the-overview-counts',
  verifications: 'portal#finding-things',
  carriers: 'portal#carriers-and-routes',
  alerts: 'alerts',
  guard: 'guard',
  'do-not-send': 'do-not-send',
  handset: 'api',
  keys: 'keys',
  webhooks: 'webhooks',
  people: 'portal#accounts-and-roles',
  audit: 'audit-log',
  'data-requests': 'personal-data#answering-a-request',
  settings: 'keys#settings-of-an-account',
  me: 'portal#signing-in',
  setup: 'portal#the-first-owner',
  'sign-in': 'portal#signing-in',
  reset: 'portal#lost-access',
};

/** The service's own documentation, which is there without any connection to the outside. */
export function Documentation() {
  const [location] = useLocation();
  const [, page = ''] = /^\/(?:accounts\/[^/]+\/)?([^/]+)/.exec(location) ?? [];
  return (
    <>
      <Anchor href={`/docs/guides/${GUIDES[page] ?? 'portal'}`} size="sm">
        Guide to this page
      </Anchor>
      <Anchor href="/docs" size="sm">
        API reference
      </Anchor>
    </>
  );
}
