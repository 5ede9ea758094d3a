/** While a secret is rotated a number is one number: codes of the secret before and of this one end each other. */
import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { NO_SETTINGS } from '../../../../src/core/accounts/account-settings.ts';
import { SYSTEM_CLOCK } from '../../../../src/core/seams/clock.ts';
import { Keyring } from '../../../../src/core/secrets/keyring.ts';
import { createNumberVerifier } from '../../../../src/core/verification/by-number/by-number.ts';
import { createFindNumberHashes } from '../../../../src/core/verification/by-number/number-hashes.ts';
import { createVerifier, OFF_DUTY, PLAIN_LIMITS, SILENT } from '../../../../src/core/verification/fixture.ts';
import type { Caller } from '../../../../src/core/verification/request.ts';
import type { Store } from '../../../../src/store/port.ts';
import { DAY, LAX, type OpenedStore, type OpenStore, unique, withLimits } from '../rig.ts';

const NUMBER = '+4915112345678';
const BEFORE = 'the secret before, which is long enough for all';
const NOW = 'the secret of now, which is long enough for all';
const GUESSES = 3;

/** A service of one secret, or in the middle of a rotation. */
function serve(store: Store, caller: Caller, keyring: Keyring) {
  const codes = new Map<string, string>();
  const clock = SYSTEM_CLOCK;
  const findNumberHashes = createFindNumberHashes(keyring, store);
  const verifier = createVerifier({
    ...{ clock, keyring, store, findNumberHashes },
    handOver: ({ id, code }) => void codes.set(id, code),
  });
  const numbers = createNumberVerifier({
    ...{ clock, keyring, store, findNumberHashes, code: { alphabet: 'digits' } },
    ...{ deliveryMetrics: SILENT, guardPort: OFF_DUTY, accountLimits: PLAIN_LIMITS },
    lookUp: async () => ({ kind: 'unknown' }),
  });
  return {
    async issue(code?: string) {
      const options = code === undefined ? {} : { options: { customCode: code } };
      const request = { destination: NUMBER, channel: 'sms', idempotencyKey: undefined, ...options } as const;
      const answer = await verifier.request(caller, request);
      assert.ok(answer.kind === 'issued', answer.kind);
      return { id: answer.id, code: codes.get(answer.id) ?? '' };
    },
    confirm: async ({ id, code }: { id: string; code: string }) =>
      (await verifier.confirm(caller, id, code)).kind,
    check: async (code: string) => (await numbers.check(caller, { address: NUMBER }, code)).kind,
    approve: ({ id }: { id: string }) => numbers.approve(caller, id),
  };
}

export function describeRotation(open: OpenStore): void {
  suite('while a secret is rotated', () => {
    let opened: OpenedStore;
    before(async () => {
      opened = await open(
        withLimits({ ...LAX.limits, failedGuessesPerDestination: [{ max: GUESSES, windowMs: DAY }] }),
      );
    });
    after(() => opened.dispose());

    /** A node of the secret before, and one that knows both. */
    const rotate = (isTest = false) => {
      const settings = { ...NO_SETTINGS, twilio: true as const };
      const caller: Caller = {
        ...{ keyId: 'key_1', accountId: unique('acc'), test: isTest, customCodes: true, settings },
      };
      return {
        earlier: serve(opened.store, caller, new Keyring(BEFORE)),
        now: serve(opened.store, caller, new Keyring(NOW, BEFORE)),
      };
    };

    const WAYS = [
      ['before', 'now'],
      ['now', 'before'],
    ] as const;
    for (const isTest of [false, true]) {
      for (const way of ['by its id', 'by its number'] as const) {
        for (const [one, other] of WAYS) {
          const kind = isTest ? 'test' : 'live';
          test(`a code of ${one}, confirmed ${way}, ends those of ${other} (${kind})`, async () => {
            const { earlier, now } = rotate(isTest);
            const codes = { before: await earlier.issue('135790'), now: await now.issue('246801') };
            const { code } = codes[one];
            assert.equal(
              await (way === 'by its id' ? now.confirm(codes[one]) : now.check(code)),
              'confirmed',
            );
            assert.equal(await now.confirm(codes[other]), 'expired');
            assert.equal(await now.check(codes[other].code), 'unknown');
          });
        }
      }
    }

    test('a code of before that is approved on the word of the client ends those of now, and the other way round', async () => {
      for (const first of ['earlier', 'now'] as const) {
        const nodes = rotate();
        const one = await nodes[first].issue('135790');
        const other = await nodes[first === 'now' ? 'earlier' : 'now'].issue('246801');
        assert.equal(await nodes.now.approve(one), 'confirmed');
        assert.equal(await nodes.now.approve(other), 'unknown', first);
        assert.equal(await nodes.now.confirm(other), 'expired', first);
      }
    });

    test('wrong guesses at codes of now count at those of before, and the other way round', async () => {
      for (const first of ['earlier', 'now'] as const) {
        const nodes = rotate();
        const one = await nodes[first].issue('135790');
        const other = await nodes[first === 'now' ? 'earlier' : 'now'].issue('246801');
        for (let i = 0; i < GUESSES; i++)
          assert.equal(await nodes.now.confirm({ ...one, code: '999999' }), 'mismatch', `${first} ${i}`);
        assert.equal(await nodes.now.confirm(other), 'attempts-exhausted', first);
      }
    });

    for (const way of ['by its id', 'by its number', 'on the word of the client'] as const) {
      const confirm = ({ now }: ReturnType<typeof rotate>, code: { id: string; code: string }) =>
        ({
          'by its id': () => now.confirm(code),
          'by its number': () => now.check(code.code),
          'on the word of the client': () => now.approve(code),
        })[way]();

      for (const right of ['earlier', 'now'] as const) {
        const which = right === 'now' ? 'of now' : 'of before';
        test(`a code ${which}, confirmed ${way}, ends the counting of wrong guesses at both`, async () => {
          const nodes = rotate();
          const old = await nodes.earlier.issue('135790');
          const fresh = await nodes.now.issue('246801');
          const [one, other] = right === 'now' ? [fresh, old] : [old, fresh];
          for (let i = 0; i < GUESSES - 1; i++)
            assert.equal(await nodes.now.confirm({ ...other, code: '999999' }), 'mismatch');
          assert.equal(await confirm(nodes, one), 'confirmed');
          const next = await nodes.now.issue('112358');
          for (let i = 0; i < GUESSES - 1; i++)
            assert.equal(await nodes.now.confirm({ ...next, code: '999999' }), 'mismatch');
          assert.equal(await nodes.now.confirm(next), 'confirmed');
        });
      }
    }
  });
}
