import { Button, Group, PasswordInput, Text } from '@mantine/core';
import { useAct } from '../../api/hooks.ts';
import { Failure } from '../../parts/page/failure.tsx';

interface KeyFieldProps {
  readonly apiKey: string;
  readonly setApiKey: (key: string) => void;
  readonly mayMakeKeys: boolean;
}

const LIFE_MS = 3_600_000;

export function KeyField({ apiKey, setApiKey, mayMakeKeys }: KeyFieldProps) {
  const create = useAct('POST accounts/:account/keys');
  const make = () =>
    create.mutate(
      {
        body: {
          name: 'Handset',
          test: true,
          expires_at: new Date(Date.now() + LIFE_MS).toISOString(),
          restrictions: { channels: [], countries: [], sources: [] },
        },
      },
      { onSuccess: ({ secret }) => setApiKey(secret) },
    );
  return (
    <>
      <Group align="flex-end">
        <PasswordInput
          label="API key"
          placeholder="csk_test_…"
          autoComplete="off"
          w="22rem"
          maw="100%"
          value={apiKey}
          onChange={(event) => setApiKey(event.currentTarget.value.trim())}
        />
        {mayMakeKeys && (
          <Button variant={apiKey === '' ? 'filled' : 'default'} loading={create.isPending} onClick={make}>
            Create a test key
          </Button>
        )}
      </Group>
      <Text size="xs" c="dimmed" mt="xs">
        The key is kept only on this page. A test key made here expires in an hour. Messages sent with a live
        key go to real telephones, not to this one.
      </Text>
      {create.isError && <Failure error={create.error} />}
    </>
  );
}
