import { Text } from '@mantine/core';
import type { Message } from '#contract/webhooks.ts';
import { eventLabel } from './words.ts';

/** An event in words, and beside them its type as a server gets it. */
export function EventName({ type }: Pick<Message, 'type'>) {
  return (
    <>
      {eventLabel(type)}{' '}
      <Text component="span" size="xs" c="dimmed" fw={400}>
        {type}
      </Text>
    </>
  );
}
