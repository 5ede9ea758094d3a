import { Button } from '@mantine/core';

interface Pages {
  readonly hasNextPage: boolean;
  readonly isFetchingNextPage: boolean;
  readonly fetchNextPage: () => Promise<unknown>;
}

/** Below a list that begins with the newest: fetches the next page, if there is one. */
export function OlderButton({ list, children }: { readonly list: Pages; readonly children: string }) {
  if (!list.hasNextPage) return null;
  return (
    <Button
      mt="md"
      variant="default"
      loading={list.isFetchingNextPage}
      onClick={() => void list.fetchNextPage()}
    >
      {children}
    </Button>
  );
}
