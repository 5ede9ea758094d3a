import { useAct } from '../../api/hooks.ts';

const LIFE_MS = 3_600_000;

/** Makes a test key for this page, which ends by itself. */
export function useTestKey() {
  const create = useAct('POST accounts/:account/keys');
  const make = async (): Promise<string> => {
    const { secret } = await create.mutateAsync({
      body: {
        name: 'Handset',
        test: true,
        expires_at: new Date(Date.now() + LIFE_MS).toISOString(),
        restrictions: { channels: [], countries: [], sources: [] },
      },
    });
    return secret;
  };
  return { make, isPending: create.isPending, error: create.error };
}
