/** How long a message lives is the same whatever this machine's clock says. */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import * as aws from '../../src/carriers/aws/request.ts';
import type { MakeRequest } from '../../src/carriers/gateway/carrier.ts';
import * as infobip from '../../src/carriers/infobip/request.ts';
import { lifeOf } from '../../src/carriers/rcs.ts';
import * as sinch from '../../src/carriers/sinch/request.ts';
import * as twilio from '../../src/carriers/twilio/request.ts';
import * as vonage from '../../src/carriers/vonage/request.ts';
import type { Clock } from '../../src/core/seams/clock.ts';
import { createManualClock } from '../../src/core/seams/clock-fixture.ts';
import { SYSTEM_RANDOM } from '../../src/core/seams/random.ts';
import { messageWith } from '../../src/delivery/fixture.ts';

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
