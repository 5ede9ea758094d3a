/** A store with hashes and seals of the previous version is taken over as it is. */
import assert from 'node:assert/strict';
import { suite, type TestContext, test } from 'node:test';
import { SYSTEM_CLOCK } from '../../../../src/core/clock.ts';
import {
  ACCOUNT,
  CODE,
  ID,
  IDEMPOTENCY_KEY,
  NUMBER,
  UNDER_NEW,
  UNDER_OLD,
  type WrittenBefore,
} from '../../../../src/core/secrets/before-fixture.ts';
import { HASH_MARK } from '../../../../src/core/secrets/keyed-hash.ts';
import { Keyring } from '../../../../src/core/secrets/keyring.ts';
import { createVerifier } from '../../../../src/core/verification/fixture.ts';
import { createReopen } from '../../../../src/core/verification/reopen.ts';
import type { Guess, NewVerification } from '../../../../src/core/verification/verification.ts';
import {
  DAY,
  FAILOVER,
  guessAt,
  HOUR,
  issueOne,
  LAX,
  LEASE,
  type OpenStore,
  openFor,
  receipt,
  SECOND,
  seenByPeople,
  settlement,
  withLimits,
} from '../rig.ts';

/** When the verification was made, according to its id. */
const AT = Number.parseInt(ID.slice('ver_'.length).slice(0, 12), 16);
const LATER = AT + 5 * SECOND;
const CALLER = { keyId: 'key_1', accountId: ACCOUNT, test: false };

const during = new Keyring(UNDER_NEW.secret, UNDER_OLD.secret);
const ROTATED = [UNDER_OLD.destinationHash];
const upgrades: readonly (readonly [string, Keyring, WrittenBefore, earlier?: readonly string[]])[] = [
  ['as it was', new Keyring(UNDER_NEW.secret), UNDER_NEW],
  ['in the middle of a rotation', during, UNDER_NEW, ROTATED],
  ['at once with the beginning of a rotation', during, UNDER_OLD],
];

export function describeVersionBefore(open: OpenStore): void {
  for (const [name, keyring, written, earlierDestinationHashes = []] of upgrades) {
    suite(`a store of the previous version, ${name}`, () => {
      const begin = async (t: TestContext, rules = LAX) => {
        const { store } = await openFor(t, open, rules);
        const v = await issueOne(store, {
          ...{ id: ID, accountId: ACCOUNT, createdAt: AT, earlierDestinationHashes },
          destinationHash: written.destinationHash,
          destinationSealed: written.destinationSealed,
          codeMac: written.codeMac,
          codeSealed: written.codeSealed,
          idempotency: { keyHash: written.keyHash, bodyHash: written.bodyHash },
        });
        const clock = { ...SYSTEM_CLOCK, now: () => LATER };
        const issued: NewVerification[] = [];
        const noting = {
          issue: (verification: NewVerification) => {
            issued.push(verification);
            return store.issue(verification);
          },
          findReplay: store.findReplay.bind(store),
          confirm: store.confirm.bind(store),
        };
        const verifier = createVerifier({ clock, keyring, store: noting });
        const ask = (destination: string = NUMBER, idempotencyKey?: string) =>
          verifier.request(CALLER, { destination, channel: 'sms', idempotencyKey });
        return { store, v, verifier, ask, issued };
      };

      test('its code confirms, once', async (t) => {
        const { verifier } = await begin(t);
        assert.equal((await verifier.confirm(CALLER, ID, '482914')).kind, 'mismatch');
        assert.deepEqual(await verifier.confirm(CALLER, ID, CODE), {
          ...{ kind: 'confirmed', id: ID, destination: NUMBER, channel: 'sms', confirmedAt: LATER },
        });
        assert.deepEqual(await verifier.confirm(CALLER, ID, CODE), { kind: 'already-confirmed' });
      });

      test('its message can still be sent', async (t) => {
        const { store } = await begin(t);
        const [claimed] = await store.claim(AT + LEASE, AT + 2 * LEASE, 1);
        assert.ok(claimed !== undefined);
        const { destination, code } = createReopen(keyring, { brand: 'Acme' }, 600_000)(claimed);
        assert.deepEqual([destination.address, code], [NUMBER, CODE]);
      });

      test('an earlier send counts', async (t) => {
        const { ask } = await begin(t, withLimits({ sendsPerDestination: [{ max: 2, windowMs: HOUR }] }));
        assert.equal((await ask()).kind, 'issued');
        const refused = await ask();
        assert.equal(refused.kind === 'limited' && refused.scope, 'destination');
        assert.equal((await ask('+4915112345679')).kind, 'issued');
      });

      test('it is recognised, and a store that the previous version did not write to is not', async (t) => {
        const { store, ask } = await begin(t);
        assert.equal(await store.holdsOtherHashes(HASH_MARK, AT - HOUR), true);
        assert.equal(await store.holdsOtherHashes(HASH_MARK, AT + 2 * DAY), false);
        const { store: fresh } = await openFor(t, open, LAX);
        assert.equal(await fresh.holdsOtherHashes(HASH_MARK, AT - HOUR), false);
        const own = during.destinationHash(ACCOUNT, false, NUMBER).current;
        await issueOne(fresh, { createdAt: AT, destinationHash: own });
        assert.equal(await fresh.holdsOtherHashes(HASH_MARK, AT - HOUR), false);
        assert.equal((await ask()).kind, 'issued');
        await issueOne(fresh, { createdAt: AT, destinationHash: '1 comes before the mark' });
        assert.equal(await fresh.holdsOtherHashes(HASH_MARK, AT - HOUR), true);
      });

      test('earlier failed guesses count, and a success clears them', async (t) => {
        const rules = withLimits({ failedGuessesPerDestination: [{ max: 3, windowMs: DAY }] });
        const { store, v, verifier, ask, issued } = await begin(t, rules);
        for (let i = 0; i < 2; i++) await store.confirm(guessAt(v, 'wrong'));
        for (let i = 0; i < 2; i++) assert.equal((await ask()).kind, 'issued');
        const [first, second] = issued;
        assert.ok(first !== undefined && second !== undefined);
        const guess = ({ id, accountId, test: isTest, codeMac }: NewVerification): Guess => ({
          ...{ id, accountId, test: isTest, codeMac, earlierCodeMacs: [], now: LATER },
        });
        assert.equal((await store.confirm(guess(first))).kind, 'confirmed');
        for (const remaining of [2, 1, 0]) {
          const attemptsRemaining = remaining;
          assert.deepEqual(await verifier.confirm(CALLER, second.id, 'none'), {
            kind: 'mismatch',
            attemptsRemaining,
          });
        }
        assert.deepEqual(await store.confirm(guess(second)), { kind: 'attempts-exhausted' });
      });

      test('earlier failed guesses leave only the rest', async (t) => {
        const rules = withLimits({ failedGuessesPerDestination: [{ max: 3, windowMs: DAY }] });
        const { store, v, verifier, ask, issued } = await begin(t, rules);
        for (let i = 0; i < 2; i++) await store.confirm(guessAt(v, 'wrong'));
        await ask();
        const id = issued[0]?.id ?? '';
        assert.deepEqual(await verifier.confirm(CALLER, id, 'none'), {
          kind: 'mismatch',
          attemptsRemaining: 0,
        });
        assert.deepEqual(await verifier.confirm(CALLER, id, 'none'), { kind: 'attempts-exhausted' });
      });

      test('an Idempotency-Key of a request is recognised', async (t) => {
        const { store, ask, issued } = await begin(t);
        const replay = { kind: 'issued', id: ID, destination: NUMBER, channel: 'sms' };
        for (let i = 0; i < 2; i++) assert.deepEqual(await ask(NUMBER, IDEMPOTENCY_KEY), replay);
        assert.deepEqual(await ask('+4915112345679', IDEMPOTENCY_KEY), { kind: 'idempotency-mismatch' });
        const [first] = issued;
        assert.ok(first?.idempotency);
        const found = await store.findReplay({ ...first, idempotency: first.idempotency });
        assert.equal(found?.kind === 'replayed' && found.id, ID);
        const late = {
          ...first,
          createdAt: AT + DAY,
          expiresAt: AT + DAY + HOUR,
          leaseUntil: AT + DAY + LEASE,
        };
        assert.equal(await store.findReplay({ ...late, idempotency: first.idempotency }), undefined);
        assert.deepEqual(await store.issue(late), { kind: 'issued' });
      });

      test('an Idempotency-Key of a guess is recognised', async (t) => {
        const { store, v, verifier } = await begin(t);
        const confirmedAt = AT + SECOND;
        const idempotency = { keyHash: written.confirmKeyHash, bodyHash: written.codeMac };
        const { id, accountId, test: isTest, codeMac } = v;
        await store.confirm({
          id,
          accountId,
          test: isTest,
          codeMac,
          earlierCodeMacs: [],
          now: confirmedAt,
          idempotency,
        });
        const ask = (code: string) => verifier.confirm(CALLER, ID, code, IDEMPOTENCY_KEY);
        const replay = { kind: 'confirmed', id: ID, destination: NUMBER, channel: 'sms', confirmedAt };
        for (let i = 0; i < 2; i++) assert.deepEqual(await ask(CODE), replay);
        assert.deepEqual(await ask('482914'), { kind: 'idempotency-mismatch' });
      });

      test('a receipt finds its message by the recipient', async (t) => {
        const { store, v } = await begin(t);
        const { recipientTag } = written;
        await store.settle(settlement(v, FAILOVER, [{ reference: 'r1', recipientTag }]));
        const about = (address: string) =>
          receipt(LATER, { references: ['r1'], recipientTags: keyring.recipientTags(address) });
        assert.equal((await store.receive(about('+4915112345679'))).kind, 'early');
        assert.equal((await store.receive(about(NUMBER))).kind, 'applied');
      });

      test('the simulator shows it, and it is deleted when its retention is over', async (t) => {
        const { store, v } = await begin(t);
        await store.settle(
          settlement(v, { kind: 'delivered', inbox: true }, [{ outcome: 'delivered', carrier: 'simulator' }]),
        );
        assert.equal((await store.list(seenByPeople(ACCOUNT), null, 10, LATER)).length, 1);
        while (await store.purge(AT + LAX.retention.verifications));
        const guess = guessAt(v, 'wrong', AT + LAX.retention.verifications);
        assert.deepEqual(await store.confirm(guess), { kind: 'unknown' });
      });
    });
  }
}
