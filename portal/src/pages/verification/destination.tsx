import { Button, Text } from '@mantine/core';
import { useState } from 'react';
import { useAct } from '../../api/hooks.ts';
import { useMay } from '../../frame/account.ts';
import { Confirm } from '../../parts/dialog/confirm.tsx';

/** Masked until an owner asks; leaving the page masks it again. */
export function Destination({ id, masked }: { readonly id: string; readonly masked: string }) {
  const mayReveal = useMay('owner');
  const reveal = useAct('POST accounts/:account/verifications/:id/reveal');
  const [asking, setAsking] = useState(false);
  if (reveal.data !== undefined) return <span>{reveal.data.destination}</span>;
  return (
    <>
      {masked}{' '}
      {mayReveal ? (
        <Button size="compact-xs" variant="default" onClick={() => setAsking(true)}>
          Show the full number
        </Button>
      ) : (
        <Text component="span" size="xs" c="dimmed">
          Owners can see the full number.
        </Text>
      )}
      {asking && (
        <Confirm
          title="Show the full number"
          label="Show it"
          danger={false}
          onClose={() => setAsking(false)}
          act={() => reveal.mutateAsync({ params: { id } })}
        >
          The audit log will record that you asked for it, when and from where.
        </Confirm>
      )}
    </>
  );
}
