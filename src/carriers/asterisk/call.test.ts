import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SYSTEM_CLOCK } from '../../core/seams/clock.ts';
import { conductCall, type SpokenStep } from './call.ts';
import { CallLine } from './line.ts';
import type { Rest } from './rest.ts';

const settled = () => new Promise((resolve) => setImmediate(resolve));
const step = (digit: string): SpokenStep => ({
  media: [`sound:digits/${digit}`],
  language: 'en',
  vital: true,
});

test('each sound is waited for, whatever comes late of one before', async () => {
  const line = new CallLine(SYSTEM_CLOCK);
  const played: string[] = [];
  const rest: Rest = async (_method, path) => {
    const [, playback] = /\/play\/(.+)$/.exec(path) ?? [];
    if (playback !== undefined) played.push(playback);
    return { kind: 'answered', status: playback === undefined ? 200 : 201, body: undefined };
  };
  const order = {
    ...{ channel: 'one', app: 'app', endpoint: 'PJSIP/1@trunk', callerId: undefined, extension: undefined },
    ...{ extensionPauseMs: 0, ringMs: 60_000, totalMs: 60_000, repeats: 1, onMissing: () => {} },
    sentence: [step('4'), step('2')],
  };
  const call = conductCall(SYSTEM_CLOCK, order, line, rest);
  const push = async (event: Parameters<CallLine['push']>[0]) => {
    line.push(event);
    for (let turn = 0; turn < 5; turn++) await settled();
  };
  await push({ kind: 'answered' });
  assert.deepEqual(played, ['one-1']);
  await push({ kind: 'played', playback: 'one-1', done: true });
  assert.deepEqual(played, ['one-1', 'one-2']);
  await push({ kind: 'played', playback: 'one-1', done: true });
  assert.deepEqual(played, ['one-1', 'one-2'], 'the second is not over');
  await push({ kind: 'ended', cause: 16, status: undefined });
  assert.deepEqual(await call, { kind: 'hung up early' });
});
