/** Whatever has changed since the first request, a repetition under its Idempotency-Key hears what became of it. */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { NO_SETTINGS } from '../accounts/account-settings.ts';
import { createScreens } from '../destination/never-sent.ts';
import { sealField } from '../secrets/sealed-field.ts';
import { createVerifierRig, LIVE, NUMBER, type VerifierRig } from './fixture.ts';
import type { Caller, VerificationRequest } from './request.ts';

const REQUEST: VerificationRequest = { destination: NUMBER, channel: 'sms', idempotencyKey: 'k' };
const CALL: VerificationRequest = { ...REQUEST, channel: 'voice' };
const MAY_BRING: Caller = { ...LIVE, customCodes: true };

/** A service as it was, and as it is now, for one who repeats a request: with which answer a new one is refused. */
interface Change {
  readonly request?: VerificationRequest;
  readonly asked?: Caller;
  readonly before?: () => VerifierRig;
  readonly now?: () => VerifierRig;
  readonly asks?: Caller;
}

const withRoute = (change: (rig: VerifierRig) => void) => () => {
  const rig = createVerifierRig();
  change(rig);
  return rig;
};

const CHANGES: Readonly<Record<string, Change>> = {
  'the do-not-send list has its range': { asks: { ...LIVE, blockedRanges: ['+4915'] } },
  'the service no longer sends to its country': { now: () => createVerifierRig({ countries: ['FR'] }) },
  'the account no longer sends to its country': {
    asks: { ...LIVE, settings: { ...NO_SETTINGS, countries: ['FR'] } },
  },
  'the key may no longer send to its country': {
    asks: { ...LIVE, restrictions: { channels: [], countries: ['FR'] } },
  },
  'the key may no longer use the channel': {
    asks: { ...LIVE, restrictions: { channels: ['voice'], countries: [] } },
  },
  'its range is never sent to any more': {
    now: () => createVerifierRig({ screens: createScreens({ allow: [], add: ['+4915'] }) }),
  },
  'no route serves it any more': {
    now: withRoute((rig) => {
      rig.findRoute = () => ({ ok: false, field: 'destination', code: 'no_route', detail: 'none' });
    }),
  },
  'no route serves the channel any more': {
    request: { ...REQUEST, channel: 'whatsapp' },
    before: () => createVerifierRig({ channels: ['sms', 'whatsapp'] }),
  },
  'no carrier speaks the language any more': {
    request: CALL,
    now: withRoute((rig) => {
      rig.canSpeak = () => false;
    }),
  },
  'its price is not known any more': {
    now: withRoute((rig) => {
      rig.findBudgets = () => 'no-price';
    }),
  },
  'its text is gone': {
    request: { ...REQUEST, options: { template: 'login', locale: 'DE-de' } },
    before: () => createVerifierRig({ messages: { brand: 'Acme', named: { login: {} } } }),
  },
  'the key may no longer bring codes': {
    request: { ...REQUEST, options: { customCode: '482913' } },
    asked: MAY_BRING,
  },
  'codes have other letters': {
    request: { ...REQUEST, options: { customCode: 'ABCD' } },
    before: () =>
      createVerifierRig({ code: { length: 6, alphabet: 'letters', validFor: 600_000, guesses: 5 } }),
    asked: MAY_BRING,
    asks: MAY_BRING,
  },
};

suite('a repetition under an Idempotency-Key', () => {
  for (const [what, change] of Object.entries(CHANGES)) {
    const { request = REQUEST, asked = LIVE, asks = LIVE } = change;
    test(`is answered with the first although ${what}`, async () => {
      const first = (change.before ?? createVerifierRig)();
      assert.equal((await first.verifier.request(asked, request)).kind, 'issued');
      const kept = first.issued[0];

      const rig = (change.now ?? createVerifierRig)();
      const refusal = await rig.verifier.request(asks, request);
      assert.equal(refusal.kind, 'invalid', 'a new request is refused');
      const [looked] = rig.looked;
      assert.deepEqual(looked?.idempotency, kept?.idempotency, 'it was looked for as it was taken');
      assert.deepEqual([looked?.accountId, looked?.test], [LIVE.accountId, false]);

      const destinationSealed = sealField(rig.keyring, NUMBER, 'ver_1', 'destination');
      const { channel } = request;
      rig.foundReplay = { kind: 'replayed', id: 'ver_1', destinationSealed, channel };
      assert.deepEqual(await rig.verifier.request(asks, request), {
        ...{ kind: 'issued', id: 'ver_1', destination: NUMBER, channel },
      });
      rig.foundReplay = { kind: 'idempotency-mismatch' };
      assert.deepEqual(await rig.verifier.request(asks, request), rig.foundReplay);
      assert.deepEqual([rig.issued, rig.handedOver], [[], []]);

      const { length } = rig.looked;
      const without = await rig.verifier.request(asks, { ...request, idempotencyKey: undefined });
      assert.deepEqual(without, refusal);
      assert.equal(rig.looked.length, length, 'nothing is looked for without a key');
    });
  }

  test('is looked for as long as the request says, whether it is refused or not', async () => {
    const rig = createVerifierRig();
    const brief = { ...REQUEST, repetitionMs: 30_000 };
    await rig.verifier.request(LIVE, brief);
    await rig.verifier.request({ ...LIVE, blockedRanges: ['+4915'] }, brief);
    rig.guardPort = { ...rig.guardPort, judge: () => ({ passes: false, refused: () => {} }) };
    await rig.verifier.request(LIVE, brief);
    const asked = [...rig.issued, ...rig.looked].map(({ idempotency }) => idempotency);
    assert.deepEqual(
      asked.map((each) => each?.windowMs),
      [30_000, 30_000, 30_000],
    );
    await rig.verifier.request({ ...LIVE, blockedRanges: ['+4915'] }, REQUEST);
    const { windowMs: _, ...hashes } = rig.issued[0]?.idempotency ?? {};
    assert.deepEqual(rig.looked.at(-1)?.idempotency, hashes, 'its hashes are those of any request');
  });

  test('is waited for by one that is refused', async () => {
    const rig = createVerifierRig();
    const { promise, resolve } = Promise.withResolvers<void>();
    rig.answerIssue = async () => {
      await promise;
      return { kind: 'issued' };
    };
    const first = rig.verifier.request(LIVE, REQUEST);
    const refused: Caller = { ...LIVE, blockedRanges: ['+4915'] };
    assert.deepEqual(await rig.verifier.request(refused, REQUEST), { kind: 'idempotency-in-progress' });
    resolve();
    assert.equal((await first).kind, 'issued');
  });

  test('is not looked for by what was never good', async () => {
    const rig = createVerifierRig();
    for (const wrong of [
      { destination: '+4930123456' },
      { destination: 'nobody' },
      { options: { locale: '!' } },
      { options: { codeLength: 99 } },
      { metadata: { '': '' } },
    ]) {
      assert.equal((await rig.verifier.request(LIVE, { ...REQUEST, ...wrong })).kind, 'invalid');
    }
    assert.deepEqual(rig.looked, []);
  });
});
