/** A carrier on a scripted Asterisk, and everything that can be observed. */
import assert from 'node:assert/strict';
import Value from 'typebox/value';
import { createAsteriskCarrier } from '../../../src/carriers/asterisk/carrier.ts';
import { type AsteriskOptions, asteriskOptions } from '../../../src/carriers/asterisk/options.ts';
import { composeMessage } from '../../../src/core/message/message.ts';
import { SYSTEM_CLOCK } from '../../../src/core/seams/clock.ts';
import { SYSTEM_RANDOM } from '../../../src/core/seams/random.ts';
import type { Carrier, Outcome, OutgoingMessage } from '../../../src/core/sending/carrier.ts';
import { AriPeer } from './peer.ts';

const SECRETS = ['482913', '4915112345678', 'secret', '4, 8, 2'];

export function voiceMessage(wanted: Partial<OutgoingMessage> = {}): OutgoingMessage {
  const { code = '482913', locale = 'en' } = wanted;
  const facts = { code, country: 'ZZ', channel: 'voice', validForMs: 600_000 } as const;
  return {
    id: 'ver_1',
    accountId: 'acc_1',
    test: false,
    channel: 'voice',
    destination: { address: '+4915112345678', kind: 'e164', country: 'DE' },
    code,
    ...composeMessage({ brand: 'Acme', locale }, facts),
    locale,
    expiresAt: Number.MAX_SAFE_INTEGER,
    ...wanted,
  };
}

export interface Rig extends AsyncDisposable {
  readonly asterisk: AriPeer;
  readonly carrier: Carrier;
  /** Events of the log, each as JSON. */
  readonly shown: string[];
  /** Submits, with enough time unless said otherwise. */
  submit(wanted?: Partial<OutgoingMessage>, signal?: AbortSignal): Promise<Outcome>;
  /** Waits until the carrier's link is up. */
  linked(): Promise<void>;
}

export async function startRig(written: Partial<Record<keyof AsteriskOptions, unknown>> = {}): Promise<Rig> {
  const asterisk = await new AriPeer().start();
  const shown: string[] = [];
  const options = Value.Decode(
    asteriskOptions,
    Value.Default(asteriskOptions, {
      type: 'asterisk',
      url: asterisk.url,
      user: 'otp',
      password: 'secret',
      trunk: 'carrier',
      ...written,
    }),
  );
  const carrier = createAsteriskCarrier('voice', options, {
    clock: SYSTEM_CLOCK,
    random: SYSTEM_RANDOM,
    receive: () => Promise.reject(new Error('no receipt was expected')),
    log: (...event) => shown.push(JSON.stringify(event)),
  });
  carrier.start();
  const linked = () =>
    until(
      () =>
        asterisk.links === 1 &&
        shown.findLast((text) => text.includes('the link to'))?.includes('is up') === true,
    );
  return {
    asterisk,
    carrier,
    shown,
    linked,
    async submit(wanted, signal = AbortSignal.timeout(60_000)) {
      const outcome = await carrier.submit(voiceMessage(wanted), { signal });
      shown.push(JSON.stringify(outcome));
      return outcome;
    },
    async [Symbol.asyncDispose]() {
      await carrier.stop();
      await asterisk.die();
      for (const secret of SECRETS) {
        assert.ok(!shown.some((text) => text.includes(secret)), 'a log event or an outcome shows a secret');
        assert.ok(!asterisk.requests.some(({ url }) => url.includes(secret)), 'an address shows a secret');
      }
    },
  };
}

/** Checks until it holds; gives up when that takes far too long. */
export async function until(holds: () => boolean): Promise<void> {
  const end = performance.now() + 20_000;
  while (!holds()) {
    if (performance.now() > end) throw new Error('waited in vain');
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
