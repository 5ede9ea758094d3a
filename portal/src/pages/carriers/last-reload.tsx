import { Alert, Text } from '@mantine/core';
import type { RoutingView } from '#contract/routing.ts';
import { When } from '../../parts/when.tsx';

/** How the configuration was last taken; nothing if it has not changed since the start. */
export function LastReload({ reload }: { readonly reload: RoutingView['reload'] }) {
  if (reload === null) return null;
  const { at, by, ok, changed, wrong } = reload;
  const how = by === 'signal' ? 'by a signal' : 'by a command';
  if (!ok) {
    return (
      <Alert color="red" title="The last change of the configuration was refused" role="status">
        <When at={at} />, {how}. Everything goes on as before. {namesOf(wrong)}. The log says what to do.
      </Alert>
    );
  }
  return (
    <Text size="sm" role="status">
      The configuration was read again <When at={at} />, {how}:{' '}
      {changed.length === 0 ? 'nothing had changed' : namesOf(changed)}.
    </Text>
  );
}

const namesOf = (keys: readonly string[]) => keys.join(', ');
