import { Button, Stack } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { call } from '../../api/call.ts';
import { signInWithPasskey } from '../../api/passkey.ts';
import { Failure } from '../../parts/page/failure.tsx';

export function PasskeyButton({ done }: { readonly done: () => void }) {
  const { mutate, isPending, error } = useMutation({
    mutationFn: async () => {
      const { options } = await call('POST session/passkey/options', undefined, {});
      await call('POST session/passkey', undefined, { body: { response: await signInWithPasskey(options) } });
    },
    onSuccess: done,
  });
  return (
    <Stack gap="sm">
      <Button variant="default" loading={isPending} onClick={() => mutate()} fullWidth>
        Sign in with a passkey
      </Button>
      {error !== null && <Failure error={error} />}
    </Stack>
  );
}
