import { Anchor } from '@mantine/core';
import { createContext, use } from 'react';
import { useLocation } from 'wouter';

/** Which guide is about the page at an address. */
export const GuideContext = createContext<(location: string) => string>(() => 'portal');

/** The service's own documentation, which is there without any connection to the outside. */
export function Documentation() {
  const [location] = useLocation();
  const guideOf = use(GuideContext);
  return (
    <>
      <Anchor href={`/docs/guides/${guideOf(location)}`} size="sm">
        Guide to this page
      </Anchor>
      <Anchor href="/docs" size="sm">
        API reference
      </Anchor>
    </>
  );
}
