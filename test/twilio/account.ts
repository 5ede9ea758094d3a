/** An account of the portal, for apps that come by Twilio's library. */
import assert from 'node:assert/strict';
import { firstAccount, read, type Visitor } from '../portal/rig.ts';

const NOTHING = {
  ...{ brand: null, locale: null, code_length: null, countries: [], budgets: null, guard: null },
  ...{ sends_per_destination: null, failed_guesses_per_destination: null },
};

export interface KeyWishes {
  readonly test?: boolean;
  readonly channels?: readonly string[];
  readonly customCodes?: boolean;
}

export async function openAccount(owner: Visitor) {
  const { id, name } = await firstAccount(owner);
  const path = `/portal/api/accounts/${id}`;
  return {
    path,
    async createKey({ test = false, channels = [], customCodes = false }: KeyWishes = {}): Promise<string> {
      const restrictions = { channels, countries: [], sources: [] };
      const body = { name: 'twilio', test, expires_at: null, restrictions, custom_codes: customCodes };
      return read<{ secret: string }>(await owner.post(`${path}/keys`, body)).secret;
    },
    async turn(on: boolean): Promise<void> {
      const body = { name, ...NOTHING, twilio: on };
      assert.equal((await owner.send('PUT', `${path}/settings`, body)).status, 200);
    },
  };
}
