/** How long a message lives is the same whatever this machine's clock says. */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import * as aws from '../../src/carriers/aws/request.ts';
import type { MakeRequest } from '../../src/carriers/gateway/carrier.ts';
import * as infobip from '../../src/carriers/infobip/request.ts';
import { lifeOf } from '../../src/carriers/rcs.ts';
import * as sinch from '../../src/carriers/sinch/request.ts';
import { createSmppCarrier } from '../../src/carriers/smpp/carrier.ts';
import { smppOptions } from '../../src/carriers/smpp/options.ts';
import { createTelegramCarrier } from '../../src/carriers/telegram/carrier.ts';
import { telegramOptions } from '../../src/carriers/telegram/options.ts';
import * as twilio from '../../src/carriers/twilio/request.ts';
import * as vonage from '../../src/carriers/vonage/request.ts';
import { type Clock, SYSTEM_CLOCK } from '../../src/core/seams/clock.ts';
import { createManualClock } from '../../src/core/seams/clock-fixture.ts';
import { SYSTEM_RANDOM } from '../../src/core/seams/random.ts';
import { messageWith } from '../../src/delivery/fixture.ts';
import { decodeOptions } from './options.ts';
import { UNHEARD } from './ports.ts';
import { sentBy } from './rcs/brokers.ts';
import { create as createGoogle } from './rcs/google-rig.ts';
import { pdu, RawSmsc, SUBMIT_SM, SUBMIT_SM_RESP } from './smpp/raw-smsc.ts';
import { bound } from './smpp/rig.ts';

const START = Date.UTC(2026, 10, 30, 12);
const FROM = { from: 'Acme', senders: {} };
const TIMES = { expiresAt: START + 600_000, replacedAt: START + 20_000 };
const OFF = [0, -30_000, 30_000] as const;

const AWS = { region: 'eu-central-1', accessKeyId: 'id', secretAccessKey: 'secret' };
const MAKERS: Readonly<Record<string, readonly [(clock: Clock) => MakeRequest, RegExp]>> = {
  twilio: [
    (clock) => twilio.createMessageMaker(clock, { accountSid: 'AC1', authToken: 't' }, FROM, undefined),
    /ValidityPeriod=600\b/,
  ],
  vonage: [
    (clock) => vonage.createMessageMaker(clock, { apiKey: 'k', apiSecret: 's' }, FROM, undefined),
    /ttl=600000\b/,
  ],
  aws: [
    (clock) => aws.createMessageMaker(clock, AWS, new URL('https://aws.example'), FROM),
    /"TimeToLive":600\b/,
  ],
  infobip: [
    (clock) => infobip.createMessageMaker({ clock, random: SYSTEM_RANDOM }, 'key', FROM, undefined),
    /"validityPeriod":\{"amount":10\b/,
  ],
};

/** Those that ask something before they send, or have a link: what is sent in the end. */
const SENDERS: Readonly<Record<string, readonly [(clock: Clock) => Promise<string>, RegExp]>> = {
  telegram: [
    async (clock) => {
      const options = (url: string) => decodeOptions(telegramOptions, { type: 'telegram', token: 't', url });
      const create = (url: string) => createTelegramCarrier('telegram', options(url), { ...UNHEARD, clock });
      const said = { ok: true, result: { request_id: 'r-1' } };
      return (await sentBy(create, { ...TIMES, channel: 'telegram' }, said)).body;
    },
    /"ttl":600\b/,
  ],
  'google, which takes it back before the next channel': [
    async (clock) => {
      const said = { access_token: 'tok-1', expires_in: 3_599 };
      return (await sentBy((url) => createGoogle(url, { ...UNHEARD, clock }), TIMES, said)).body;
    },
    /"ttl":"600s"/,
  ],
  // Absolute times would be by the clock of the SMSC: days, hours, minutes and seconds from when it comes.
  smpp: [sentOverLink, /(?<!\d)000000001000000R/],
};

async function sentOverLink(clock: Clock): Promise<string> {
  const smsc = await new RawSmsc((socket, { command, sequence }) => {
    if (command === SUBMIT_SM) socket.write(pdu(SUBMIT_SM_RESP, 0, sequence, Buffer.from('m-1\0')));
    return undefined;
  }).start();
  const account = { host: '127.0.0.1', port: smsc.port, systemId: 'u', password: 'p', source: 'Acme' };
  const options = decodeOptions(smppOptions, { type: 'smpp', ...account });
  const carrier = createSmppCarrier('smsc', options, { ...UNHEARD, clock });
  carrier.start();
  try {
    await bound(carrier);
    await carrier.submit(messageWith(TIMES), { signal: AbortSignal.timeout(20_000) });
    return String(smsc.received.find(({ command }) => command === SUBMIT_SM)?.body);
  } finally {
    await carrier.stop();
    await smsc.stop();
  }
}

suite('the life of a message', () => {
  for (const off of OFF) {
    const clockThere = () => {
      const clock = createManualClock(START);
      clock.stepWall(off);
      return clock;
    };

    for (const [name, [maker, expected]] of Object.entries(MAKERS)) {
      test(`is until its code expires over ${name}, on a machine that is off by ${off} ms`, () => {
        const request = maker(clockThere())(messageWith(TIMES), '');
        assert.match('body' in request ? String(request.body) : '', expected);
      });
    }

    for (const [name, [send, expected]] of Object.entries(SENDERS)) {
      test(`is until its code expires over ${name}, on a machine that is off by ${off} ms`, async () => {
        const there = { ...SYSTEM_CLOCK, now: () => START, wall: () => START + off };
        assert.match(await send(there), expected);
      });
    }

    test(`is until the next channel over RCS, on a machine that is off by ${off} ms`, () => {
      assert.equal(lifeOf(TIMES, clockThere(), [10, 172_800]), 20);
    });

    test(`ends at a date of the machine that sends it, where it is off by ${off} ms`, () => {
      const sms = { ...FROM, servicePlanId: 'p', apiToken: 't' };
      const request = sinch.createMessageMaker(clockThere(), sms, undefined)(messageWith(TIMES), '');
      const { expire_at } = JSON.parse('body' in request ? String(request.body) : '');
      assert.equal(Date.parse(expire_at), TIMES.expiresAt + off);
    });
  }
});
