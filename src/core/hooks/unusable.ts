/** Hooks whose API key would be refused: found at the start and by the doctor, not by the first person who waits for a code. */
import type { FoundKey, KeyStore } from '../accounts/api-key.ts';
import { hashApiKey } from '../accounts/api-key-format.ts';
import type { HookOptions, Hooks } from './system.ts';

export interface UnusableHook {
  readonly name: string;
  /** What is wrong with its key, and how to fix it. */
  readonly detail: string;
}

export async function findUnusableHooks(
  hooks: Hooks,
  keys: Pick<KeyStore, 'findKey'>,
  now: number,
): Promise<UnusableHook[]> {
  const found = await Promise.all(
    Object.entries(hooks).map(async ([name, hook]) => {
      const detail = describeFault(await keys.findKey(hashApiKey(hook.key)), hook, now);
      return detail === undefined ? [] : [{ name, detail }];
    }),
  );
  return found.flat();
}

function describeFault(
  key: FoundKey | undefined,
  { channel = 'sms' }: HookOptions,
  now: number,
): string | undefined {
  if (key === undefined) {
    return 'is no API key of this installation, so the hook sends nothing; make one with keys create --custom-codes';
  }
  if (key.revokedAt !== null) return 'is revoked, so the hook sends nothing; set another one';
  if (key.expiresAt !== null && key.expiresAt <= now) {
    return 'has expired, so the hook sends nothing; set another one';
  }
  if (!key.test && !key.customCodes) {
    return 'may not bring codes of its own, so the hook sends nothing; an owner of the account can allow it in the portal, under API keys';
  }
  const { channels } = key.restrictions;
  if (channels.length > 0 && !channels.includes(channel)) {
    return `may not use the channel ${channel}, so the hook sends nothing; allow it in the portal, under API keys`;
  }
  return undefined;
}
