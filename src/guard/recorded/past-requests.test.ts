import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Channel } from '../../core/destination/channel.ts';
import { Keyring } from '../../core/secrets/keyring.ts';
import { sealField } from '../../core/secrets/sealed-field.ts';
import { readPastRequests } from './past-requests.ts';

const AT = Date.UTC(2026, 10, 30);
const SPAN = { accountId: null, from: AT, to: AT + 1, now: AT + 1 };

test('wrong guesses are those of what the channel allows, without the right one', async () => {
  const keyring = new Keyring('the secret of these tests, long enough');
  const wrong = async (channel: Channel, guessesLeft: number, confirmedAt: number | null = null) => {
    const destinationSealed = sealField(keyring, '+4915112345678', 'ver_1', 'destination');
    const past = {
      ...{ id: 'ver_1', accountId: 'acc_1', keyId: 'key_1', channel, country: 'DE', destinationSealed },
      ...{ guessesLeft, createdAt: AT, confirmedAt, clientNetwork: null, cost: 0 },
    };
    const history = { readHistory: async () => ({ verifications: [past], next: null }) };
    const [request] = await Array.fromAsync(readPastRequests({ history, keyring, guesses: 5 }, SPAN));
    return request?.wrongGuesses;
  };
  assert.deepEqual([await wrong('sms', 5), await wrong('sms', 3), await wrong('sms', 3, AT)], [0, 2, 1]);
  assert.deepEqual(
    [await wrong('flashcall', 3), await wrong('flashcall', 0), await wrong('flashcall', 2, AT)],
    [0, 3, 0],
  );
});
