import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { call } from '../api/call.ts';
import { signInWithPasskey } from '../api/passkey.ts';
import { Failure } from './page/failure.tsx';

interface PasskeyButtonProps {
  readonly label: string;
  readonly action: 'POST session/passkey' | 'POST me/proof/passkey';
  readonly done: () => void;
}

export function PasskeyButton({ label, action, done }: PasskeyButtonProps) {
  const { mutate, isPending, error } = useMutation({
    mutationFn: async () => {
      const { options } = await call('POST session/passkey/options', undefined, {});
      await call(action, undefined, { body: { response: await signInWithPasskey(options) } });
    },
    onSuccess: done,
  });
  return (
    <>
      <Button variant="default" loading={isPending} onClick={() => mutate()}>
        {label}
      </Button>
      {error !== null && <Failure error={error} />}
    </>
  );
}
