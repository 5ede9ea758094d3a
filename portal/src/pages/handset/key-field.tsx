import { Button, Group, PasswordInput, Text } from '@mantine/core';
import { Failure } from '../../parts/page/failure.tsx';
import { useTestKey } from './test-key.ts';

interface KeyFieldProps {
  readonly apiKey: string;
  readonly setApiKey: (key: string) => void;
  readonly mayMakeKeys: boolean;
}

export function KeyField({ apiKey, setApiKey, mayMakeKeys }: KeyFieldProps) {
  const { make, isPending, error } = useTestKey();
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
          <Button
            variant={apiKey === '' ? 'filled' : 'default'}
            loading={isPending}
            onClick={() => make().then(setApiKey, () => {})}
          >
            Create a test key
          </Button>
        )}
      </Group>
      <Text size="xs" c="dimmed" mt="xs">
        The key is kept only on this page. A test key made here expires in an hour. Messages sent with a live
        key go to real telephones, not to this one.
      </Text>
      {error !== null && <Failure error={error} />}
    </>
  );
}
