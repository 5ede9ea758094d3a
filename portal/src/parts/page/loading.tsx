import { Group, Loader } from '@mantine/core';

export function Loading() {
  return (
    <Group justify="center" mih="50vh" role="status" aria-label="Loading">
      <Loader size="sm" />
    </Group>
  );
}
