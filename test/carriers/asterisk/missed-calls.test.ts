/** Missed calls: what they come from, when they are hung up, and what the carrier reports. */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { OutgoingMessage } from '../../../src/core/sending/carrier.ts';
import type { Fate } from './peer.ts';
import { type Rig, startRig } from './rig.ts';

const MISSED: Partial<OutgoingMessage> = { channel: 'flashcall', code: '0417', text: '' };
const FLASHCALL = { numbers: ['+4930123xxxx'], ring: '30ms' };

async function withRig(use: (rig: Rig) => Promise<void>, flashcall: object = {}, options: object = {}) {
  await using rig = await startRig({ flashcall: { ...FLASHCALL, ...flashcall }, ...options });
  await rig.linked();
  await use(rig);
  assert.equal(rig.asterisk.channels, 0, 'every call is hung up');
  assert.ok(
    rig.asterisk.calls.every(({ played }) => played.length === 0),
    'nothing is said',
  );
  assert.ok(!rig.shown.some((text) => text.includes('0417')), 'the code is shown nowhere');
}

const ring: Fate = (call) => call.ring();

suite('a missed call', () => {
  test('comes from a number that ends with the code, rings, and is hung up', () =>
    withRig(async (rig) => {
      rig.asterisk.fate = ring;
      assert.deepEqual(await rig.submit(MISSED), { kind: 'delivered' });
      const [call] = rig.asterisk.calls;
      assert.equal(call?.order.endpoint, 'PJSIP/4915112345678@carrier');
      assert.equal(call?.order.callerId, '+49301230417');
      assert.equal(rig.asterisk.asked('DELETE', /\/channels\//).length, 1);
    }));

  test('shows its number as the trunk wants it, from any number of a larger block', () =>
    withRig(
      async (rig) => {
        rig.asterisk.fate = ring;
        await rig.submit(MISSED);
        assert.match(String(rig.asterisk.calls[0]?.order.callerId), /^004930[0-9]{4}0417$/);
      },
      { numbers: ['+4930xxxxxxxx'], presented: '00{{fromDigits}}' },
    ));

  test('ends by itself if this process does: Asterisk knows how long it may take', () =>
    withRig(
      async (rig) => {
        rig.asterisk.fate = ring;
        await rig.submit(MISSED);
        const { timeout, variables } = rig.asterisk.calls[0]?.order ?? {};
        assert.deepEqual([timeout, variables], [31, { 'TIMEOUT(absolute)': '31' }]);
      },
      { ring: '1s' },
      { ringTimeout: '20s' },
    ));

  test('that somebody answers while it rings has arrived, and is hung up at once', () =>
    withRig(
      async (rig) => {
        rig.asterisk.fate = (call) => {
          call.ring();
          call.answer();
        };
        assert.deepEqual(await rig.submit(MISSED), { kind: 'delivered' });
      },
      { ring: '10m' },
    ));

  test('that is answered before it rang has met a mailbox: nobody has seen it', () =>
    withRig(async (rig) => {
      rig.asterisk.fate = (call) => call.answer();
      const reason = 'answered before it rang, by a mailbox or a machine';
      assert.deepEqual(await rig.submit(MISSED), { kind: 'permanent', reason });
    }));

  test('with no more than early media may have arrived', () =>
    withRig(async (rig) => {
      rig.asterisk.fate = (call) => call.playEarlyMedia();
      assert.deepEqual(await rig.submit(MISSED), { kind: 'accepted' });
      rig.asterisk.fate = (call) => {
        call.playEarlyMedia();
        call.answer();
      };
      assert.deepEqual(await rig.submit(MISSED), { kind: 'accepted' });
      rig.asterisk.fate = (call) => {
        call.playEarlyMedia();
        call.ring();
      };
      assert.deepEqual(await rig.submit(MISSED), { kind: 'delivered' });
    }));

  test('that was declined, or that the network ended, after it rang has arrived', async () => {
    for (const [cause, status] of [
      [21, 603],
      [17, 486],
      [19, 480],
      [19, undefined],
    ] as const)
      await withRig(
        async (rig) => {
          rig.asterisk.fate = (call) => {
            call.ring();
            call.end(cause, status);
          };
          assert.deepEqual(await rig.submit(MISSED), { kind: 'delivered' });
        },
        { ring: '10m' },
      );
  });

  test('that did not ring, or failed on its way, has not arrived', async () => {
    for (const [isRinging, cause, status, reason] of [
      [false, 17, 486, 'busy (SIP 486, cause 17)'],
      [false, 19, 480, 'unreachable (SIP 480, cause 19)'],
      [false, 1, 404, 'unknown number (SIP 404, cause 1)'],
      [true, 1, 404, 'unknown number (SIP 404, cause 1)'],
      [true, 34, 503, 'call failed (SIP 503, cause 34)'],
    ] as const)
      await withRig(async (rig) => {
        rig.asterisk.fate = (call) => {
          if (isRinging) call.ring();
          call.end(cause, status);
        };
        const outcome = await rig.submit(MISSED);
        assert.ok(outcome.kind === 'temporary' || outcome.kind === 'permanent');
        assert.equal(outcome.reason, reason);
      });
  });

  test('without a sign of the telephone is given up when its time is over', () =>
    withRig(
      async (rig) => {
        rig.asterisk.fate = () => {};
        assert.deepEqual(await rig.submit(MISSED), { kind: 'temporary', reason: 'no response' });
      },
      { ring: '10m' },
      { ringTimeout: '20ms' },
    ));

  test('that is no longer wanted is hung up', () =>
    withRig(
      async (rig) => {
        const giveUp = new AbortController();
        rig.asterisk.fate = () => giveUp.abort();
        const lost = { kind: 'temporary', reason: 'given up', uncounted: true };
        assert.deepEqual(await rig.submit(MISSED, giveUp.signal), lost);
      },
      { ring: '10m' },
    ));
});
