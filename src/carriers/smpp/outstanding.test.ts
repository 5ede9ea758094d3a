import assert from 'node:assert/strict';
import { it } from 'node:test';
import fc from 'fast-check';
import { Outstanding } from './outstanding.ts';
import { COMMAND, responseTo } from './protocol/pdu.ts';
import { STATUS } from './protocol/status.ts';

const body = Buffer.alloc(0);
const SUBMIT_SM_RESP = 0x8000_0004;

it('gives each request its own answer, in any order', async () => {
  const outstanding = new Outstanding();
  const first = outstanding.open(COMMAND.submitSm, 0, 10);
  const second = outstanding.open(COMMAND.submitSm, 0, 10);
  outstanding.answer({ command: SUBMIT_SM_RESP, status: 2, sequence: second.sequence, body });
  outstanding.answer({ command: SUBMIT_SM_RESP, status: 1, sequence: first.sequence, body });
  assert.deepEqual(await first.answer, { kind: 'response', status: 1, body });
  assert.deepEqual(await second.answer, { kind: 'response', status: 2, body });
});

it('takes a generic_nack for a refusal, whatever it says', async () => {
  const outstanding = new Outstanding();
  const [first, second] = [0, 8].map((status) => {
    const { sequence, answer } = outstanding.open(COMMAND.submitSm, 0, 10);
    outstanding.answer({ command: COMMAND.genericNack, status, sequence, body });
    return answer;
  });
  assert.deepEqual(await first, { kind: 'response', status: STATUS.unknownError, body });
  assert.deepEqual(await second, { kind: 'response', status: 8, body });
});

it('takes the response to another kind of request for none', async () => {
  const outstanding = new Outstanding();
  const { sequence, answer } = outstanding.open(COMMAND.submitSm, 0, 10);
  outstanding.answer({ command: responseTo(COMMAND.enquireLink), status: 0, sequence, body });
  outstanding.answer({ command: SUBMIT_SM_RESP, status: 1, sequence, body });
  assert.deepEqual(await answer, { kind: 'response', status: 1, body });
});

it('takes the response to a number that nobody can have for none', async () => {
  const outstanding = new Outstanding();
  const { sequence, answer } = outstanding.open(COMMAND.submitSm, 0, 10);
  // Because the distance wraps around, the first numbers past the highest are as far from the next as the requests
  // under way.
  for (const foreign of [0, 0x7fff_ffff + sequence, 0x8000_0000 + sequence]) {
    outstanding.answer({ command: SUBMIT_SM_RESP, status: 0, sequence: foreign, body });
  }
  outstanding.answer({ command: SUBMIT_SM_RESP, status: 1, sequence, body });
  assert.deepEqual(await answer, { kind: 'response', status: 1, body });
});

it('expires what is due and keeps no trace of it', async () => {
  const outstanding = new Outstanding();
  const first = outstanding.open(COMMAND.submitSm, 0, 10);
  outstanding.open(COMMAND.enquireLink, 5, 10);
  assert.deepEqual(outstanding.expire(9), []);
  assert.deepEqual(
    outstanding.expire(10).map(({ command }) => command),
    [COMMAND.submitSm],
  );
  assert.deepEqual(await first.answer, { kind: 'none', reason: 'no answer in time' });
  outstanding.answer({ command: SUBMIT_SM_RESP, status: 0, sequence: first.sequence, body });
  assert.deepEqual(
    outstanding.expire(1_000).map(({ command }) => command),
    [COMMAND.enquireLink],
  );
});

it('abandons everything at once', async () => {
  const outstanding = new Outstanding();
  const { answer } = outstanding.open(COMMAND.submitSm, 0, 10);
  outstanding.abandon('gone', true);
  assert.deepEqual(await answer, { kind: 'lost', reason: 'gone', dropped: true });
  assert.deepEqual(outstanding.expire(1_000), []);
});

it('answers what is open and nothing else, whatever comes', async () => {
  const step = fc.oneof(
    fc.constant('open' as const),
    fc.constant('expire' as const),
    // The sequence number of a response. Those past the highest belong to no request, and neither does 0.
    fc.integer({ min: 0, max: 30 }),
    fc.integer({ min: 0x7fff_ffff - 3, max: 0x7fff_ffff + 30 }),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
      const outstanding = new Outstanding();
      const open = new Map<number, number>();
      const answered: number[] = [];
      for (const [now, step] of steps.entries()) {
        let expected: number[] = [];
        if (step === 'open') {
          const { sequence, answer } = outstanding.open(COMMAND.submitSm, now, 10);
          void answer.then(() => answered.push(sequence));
          open.set(sequence, now);
        } else if (step === 'expire') {
          expected = [...open].filter(([, sentAt]) => sentAt + 10 <= now).map(([sequence]) => sequence);
          assert.equal(outstanding.expire(now).length, expected.length);
        } else {
          expected = open.has(step) ? [step] : [];
          outstanding.answer({ command: SUBMIT_SM_RESP, status: 0, sequence: step, body });
        }
        for (const sequence of expected) open.delete(sequence);
        await Promise.resolve();
        assert.deepEqual(answered.splice(0), expected);
      }
    }),
  );
});
