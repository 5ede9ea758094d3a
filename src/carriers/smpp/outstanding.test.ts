import assert from 'node:assert/strict';
import { it } from 'node:test';
import { Outstanding } from './outstanding.ts';
import { COMMAND } from './pdu.ts';

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
  outstanding.abandon('gone');
  assert.deepEqual(await answer, { kind: 'none', reason: 'gone' });
  assert.deepEqual(outstanding.expire(1_000), []);
});
