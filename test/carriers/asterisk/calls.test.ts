/** What happens to a call, and the outcome that the carrier reports. */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { NOT_WANTED } from '../../../src/core/sending/carrier.ts';
import type { Fate } from './peer.ts';
import { type Rig, startRig, until, voiceMessage } from './rig.ts';

const digitsOf = (played: readonly string[][]) =>
  played
    .flat()
    .flatMap((media) => /^sound:(?:digits|letters)\/(.)$/.exec(media)?.[1] ?? [])
    .join('');

const withRig = async (use: (rig: Rig) => Promise<void>, options = {}) => {
  await using rig = await startRig(options);
  await rig.linked();
  await use(rig);
};

const hungUp = ({ asterisk }: Rig) => asterisk.channels === 0;

suite('a call', () => {
  test('says the code digit by digit, twice, then a second of silence, and hangs up', () =>
    withRig(async (rig) => {
      assert.deepEqual(await rig.submit({ locale: 'es' }), { kind: 'delivered' });
      const [call] = rig.asterisk.calls;
      const digit = (symbol: string) => ['sound:silence/1', `sound:digits/${symbol}`];
      const once = [['sound:silence/1'], ['sound:digits/4'], ...[...'82913'].map(digit)];
      assert.deepEqual(call?.played, [...once, ...once, ['sound:silence/1']]);
      assert.deepEqual(new Set(call?.languages.slice(0, -1)), new Set(['es']));
      assert.equal(call?.order.endpoint, 'PJSIP/4915112345678@carrier');
      assert.deepEqual(call?.order.variables, { 'TIMEOUT(absolute)': '127' });
      assert.ok(hungUp(rig));
    }));

  test('says letters too, from recordings', () =>
    withRig(async (rig) => {
      assert.deepEqual(await rig.submit({ code: '4KZ0' }), { kind: 'delivered' });
      assert.equal(digitsOf(rig.asterisk.calls[0]?.played ?? []), '4kz0'.repeat(2));
    }));

  test('has the caller ID and the trunk of the options', () =>
    withRig(
      async (rig) => {
        await rig.submit();
        const [call] = rig.asterisk.calls;
        assert.equal(digitsOf(call?.played ?? []), '482913'.repeat(2));
        assert.deepEqual(call?.played[2], ['sound:silence/1', 'sound:digits/8']);
        assert.equal(call?.order.callerId, '15550100');
        assert.equal(call?.order.endpoint, 'PJSIP/00+4915112345678@other');
      },
      { callerId: '15550100', number: '00{{to}}', trunk: 'other' },
    ));

  test('comes from the caller ID of its country', () =>
    withRig(
      async (rig) => {
        await rig.submit();
        const destination = { address: '+12025550123', kind: 'e164', country: 'US' } as const;
        await rig.submit({ destination });
        assert.deepEqual(
          rig.asterisk.calls.map(({ order }) => order.callerId),
          ['4930123', '15550100'],
        );
      },
      { callerId: '15550100', senders: { DE: '4930123' } },
    ));

  test('a key says it again, and so does one in the closing silence', () =>
    withRig(async (rig) => {
      rig.asterisk.playMs = 10;
      rig.asterisk.fate = async (call) => {
        call.answer();
        await until(() => digitsOf(call.played) === '482');
        call.press('1');
        await until(
          () => digitsOf(call.played) === `482${'482913'.repeat(2)}` && call.played.at(-1)?.length === 1,
        );
        call.press('#');
      };
      assert.deepEqual(await rig.submit(), { kind: 'delivered' });
      assert.equal(digitsOf(rig.asterisk.calls[0]?.played ?? []), `482${'482913'.repeat(3)}`);
    }));

  test('a person who keeps pressing keys hears it anyway', () =>
    withRig(async (rig) => {
      rig.asterisk.fate = async (call) => {
        call.answer();
        while (!call.over) {
          call.press('5');
          await sleep(1);
        }
      };
      assert.deepEqual(await rig.submit(), { kind: 'delivered' });
    }));

  test('an extension is dialled after the answer, before a word is said', () =>
    withRig(async (rig) => {
      const destination = {
        address: 'tel:+12025550123;ext=4217',
        kind: 'extension',
        country: 'US',
      } as const;
      assert.deepEqual(await rig.submit({ destination }), { kind: 'delivered' });
      assert.equal(rig.asterisk.calls[0]?.order.endpoint, 'PJSIP/12025550123@carrier');
      const [, dialled, spoke] = rig.asterisk.requests.filter(({ method }) => method === 'POST');
      assert.match(dialled?.url ?? '', /\/dtmf$/);
      assert.equal(dialled?.body.dtmf, '4217');
      assert.equal(dialled?.body.after, 5_000);
      assert.match(spoke?.url ?? '', /\/play\//);
    }));

  test('a SIP URI is called over its own trunk, or not at all', async () => {
    const destination = { address: 'sip:alice@example.com', kind: 'sip', country: 'ZZ' } as const;
    await withRig(
      async (rig) => {
        assert.deepEqual(await rig.submit({ destination }), { kind: 'delivered' });
        assert.equal(rig.asterisk.calls[0]?.order.endpoint, 'PJSIP/sip-out/sip:alice@example.com');
      },
      { sipTrunk: 'sip-out' },
    );
    await withRig(async (rig) => {
      assert.equal((await rig.submit({ destination })).kind, 'permanent');
      assert.equal(rig.asterisk.calls.length, 0);
    });
  });

  test('without recordings or speech in its language, it is said in English, and the operator is told once', () =>
    withRig(async (rig) => {
      for (let i = 0; i < 3; i++) assert.deepEqual(await rig.submit({ locale: 'ja' }), { kind: 'delivered' });
      assert.deepEqual(new Set(rig.asterisk.calls[0]?.languages), new Set(['en']));
      assert.equal(rig.shown.filter((text) => text.includes('said in English')).length, 1);
      assert.deepEqual(
        ['es-MX', 'ja'].map((locale) => rig.carrier.speaks?.(locale)),
        ['as-written', 'in-english'],
      );
    }));

  test('without English as a fallback, nobody is called in a language without recordings or speech', () =>
    withRig(
      async (rig) => {
        const { kind } = await rig.submit({ locale: 'ja' });
        assert.equal(kind, 'temporary');
        assert.equal(rig.asterisk.calls.length, 0);
        assert.equal(rig.shown.filter((text) => text.startsWith('["error"')).length, 1);
        assert.equal(rig.carrier.speaks?.('ja'), 'not-at-all');
        assert.deepEqual(await rig.submit({ locale: 'es' }), { kind: 'delivered' });
      },
      { englishFallback: false },
    ));

  test('the languages of its speech command are unknown before a call', async () => {
    await using rig = await startRig({ speech: { folder: '/tmp/never' }, englishFallback: false });
    assert.equal(rig.carrier.speaks?.('es'), undefined, 'nor what is recorded, before it is there');
    await rig.linked();
    await until(() => rig.carrier.speaks?.('es') === 'as-written');
    assert.equal(rig.carrier.speaks?.('ja'), undefined);
  });
});

suite('the end of a call', () => {
  const fates: Record<string, [Fate, object]> = {
    busy: [(call) => call.end(17, 486), { kind: 'temporary', uncounted: true, retryAfterMs: 30_000 }],
    rejected: [(call) => call.end(21, 603), { kind: 'permanent' }],
    unreachable: [(call) => call.end(19, 480), { kind: 'temporary', uncounted: true, retryAfterMs: 30_000 }],
    'unknown number': [(call) => call.end(1, 404), { kind: 'permanent' }],
    congested: [(call) => call.end(34, 503), { kind: 'temporary' }],
    'wrong password': [(call) => call.end(21, 407), { kind: 'temporary' }],
    forbidden: [(call) => call.end(21, 403), { kind: 'temporary', uncounted: true, retryAfterMs: 30_000 }],
    'refused to somebody who hides their number': [
      (call) => call.end(127, 433),
      { kind: 'temporary', uncounted: true, retryAfterMs: 30_000 },
    ],
    'out of ports': [(call) => call.end(0), { kind: 'temporary' }],
    'dead trunk, given up by SIP': [(call) => call.end(18, 408), { kind: 'temporary' }],
    'given up by the network after ringing': [
      (call) => {
        call.ring();
        call.end(19, 480);
      },
      { kind: 'permanent' },
    ],
    'given up by the network after early media': [
      (call) => {
        call.playEarlyMedia();
        call.end(19, 480);
      },
      { kind: 'permanent' },
    ],
    'hung up at once': [
      (call) => {
        call.answer();
        call.end(0);
      },
      { kind: 'permanent' },
    ],
    'hung up in the middle of the code': [
      async (call) => {
        call.answer();
        await until(() => digitsOf(call.played) === '482');
        call.end(0);
      },
      { kind: 'permanent' },
    ],
    'hung up when the code was said once': [
      async (call) => {
        call.answer();
        await until(() => digitsOf(call.played) === '4829134');
        call.end(0);
      },
      { kind: 'delivered' },
    ],
  };
  for (const [name, [fate, expected]] of Object.entries(fates)) {
    test(name, () =>
      withRig(async (rig) => {
        rig.asterisk.playMs = 5;
        rig.asterisk.fate = fate;
        const { reason, ...outcome } = { reason: '', ...(await rig.submit()) };
        assert.deepEqual(outcome, expected);
        assert.equal(reason === '', outcome.kind === 'delivered');
        assert.ok(hungUp(rig));
      }),
    );
  }

  test('a trunk that never rings is not an unanswered call', () =>
    withRig(
      async (rig) => {
        rig.asterisk.fate = () => {};
        assert.deepEqual(await rig.submit(), { kind: 'temporary', reason: 'no response' });
        assert.ok(hungUp(rig));
        for (const fate of [(call) => call.ring(), (call) => call.playEarlyMedia()] satisfies Fate[]) {
          rig.asterisk.fate = fate;
          assert.deepEqual(await rig.submit(), { kind: 'permanent', reason: 'no answer' });
          assert.ok(hungUp(rig));
        }
      },
      { ringTimeout: '1s' },
    ));

  test('a digit that cannot be played is reported, and the call does not count as delivered', () =>
    withRig(async (rig) => {
      rig.asterisk.sounds = (media) => media !== 'sound:digits/9';
      assert.equal((await rig.submit()).kind, 'temporary');
      assert.ok(rig.shown.some((text) => text.startsWith('["error"')));
      assert.ok(hungUp(rig));
    }));

  test('a call that Asterisk does not take is reported, and tried again', () =>
    withRig(async (rig) => {
      for (const status of [400, 401, 403, 404, 409, 500]) {
        rig.asterisk.override = (method, path) =>
          method === 'POST' && /^\/channels\/[^/]+$/.test(path) ? status : undefined;
        assert.equal((await rig.submit()).kind, 'temporary', `status ${status}`);
      }
      assert.ok(rig.shown.some((text) => text.startsWith('["error"')));
    }));

  test('at its deadline it is hung up', () =>
    withRig(async (rig) => {
      rig.asterisk.playMs = 60_000;
      for (const fate of [() => {}, rig.asterisk.fate]) {
        rig.asterisk.fate = fate;
        assert.equal((await rig.submit({}, AbortSignal.timeout(50))).kind, 'temporary');
        assert.ok(hungUp(rig));
      }
    }));

  test('after its deadline it is not begun', () =>
    withRig(async (rig) => {
      assert.equal((await rig.submit({}, AbortSignal.abort())).kind, 'temporary');
      assert.equal(rig.asterisk.calls.length, 0);
    }));

  test('what another node has taken over is not dialled', () =>
    withRig(async (rig) => {
      const deadline = { signal: AbortSignal.timeout(60_000), wanted: false };
      assert.deepEqual(await rig.carrier.submit(voiceMessage(), deadline), NOT_WANTED);
      assert.equal(rig.asterisk.calls.length, 0);
    }));

  test('one call does not disturb those beside it', () =>
    withRig(async (rig) => {
      const good = rig.asterisk.fate;
      let count = 0;
      rig.asterisk.fate = (call) => {
        count += 1;
        return count % 4 === 0 ? call.end(17, 486) : good(call);
      };
      const outcomes = await Promise.all(Array.from({ length: 12 }, () => rig.submit()));
      assert.equal(outcomes.filter(({ kind }) => kind === 'delivered').length, 9);
      assert.ok(hungUp(rig));
    }));
});

suite('a check', () => {
  test('finds Asterisk, its trunk and its sounds, and calls nobody', () =>
    withRig(async ({ carrier, asterisk }) => {
      assert.deepEqual(await carrier.check(), {
        ok: true,
        detail:
          'trunk carrier is online; digits recorded in en, es, fr, it, ru; calls in other languages are made in English',
      });
      assert.equal(asterisk.calls.length, 0);
    }));

  for (const [name, options, detail] of [
    ['a wrong password', { password: 'wrong' }, /refuses the user or the password/],
    ['a trunk that is not there', { trunk: 'nowhere' }, /no PJSIP endpoint nowhere/],
    [
      'a speech command that fails',
      { speech: { folder: '/tmp/never', command: ['false'] } },
      /speech: .*ended with 1/,
    ],
  ] as const) {
    test(`finds ${name}`, async () => {
      await using rig = await startRig(options);
      const { ok, detail: found } = await rig.carrier.check();
      assert.equal(ok, false);
      assert.match(found, detail);
    });
  }

  test('finds a trunk that is offline, and modules that are missing', () =>
    withRig(async ({ carrier, asterisk }) => {
      asterisk.state = 'offline';
      assert.deepEqual(await carrier.check(), { ok: false, detail: 'trunk carrier is offline' });
      asterisk.state = 'unknown';
      asterisk.override = (_, path) => (path === '/channels' ? 404 : undefined);
      assert.match((await carrier.check()).detail, /has not loaded res_ari_channels/);
    }));

  test('finds that Asterisk does not answer', () =>
    withRig(async ({ carrier, asterisk }) => {
      await asterisk.die();
      assert.deepEqual(await carrier.check(), { ok: false, detail: 'ARI cannot be reached: ECONNREFUSED' });
      await asterisk.start();
    }));
});
