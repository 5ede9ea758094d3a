import { Anchor } from '@mantine/core';

/** The service's own documentation, which is there without any connection to the outside. */
export const ApiReference = () => (
  <Anchor href="/docs" size="sm">
    API reference
  </Anchor>
);
