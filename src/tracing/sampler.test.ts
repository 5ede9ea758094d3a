import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import type { SpanContext } from './context.ts';
import { createSample, type Sampler } from './sampler.ts';

const parent = (sampled: boolean): SpanContext => ({ traceId: '', spanId: '', sampled });
const LOW = '0'.repeat(31).concat('1');
const HIGH = 'f'.repeat(32);

test('who decides, and how', () => {
  const table: [Sampler, root: boolean, parentSampled: boolean, parentNot: boolean][] = [
    ['always_on', true, true, true],
    ['always_off', false, false, false],
    ['parentbased_always_on', true, true, false],
    ['parentbased_always_off', false, true, false],
  ];
  for (const [sampler, ...expected] of table) {
    const sample = createSample(sampler, 1);
    const decided = [undefined, parent(true), parent(false)].map((caller) => sample(HIGH, caller));
    assert.deepEqual(decided, expected, sampler);
  }
});

test('a share goes by the random end of the trace’s id, the same for everybody', () => {
  const half = createSample('traceidratio', 0.5);
  assert.deepEqual([half(LOW, undefined), half(HIGH, undefined)], [false, true]);
  // The beginning of an id may be a time.
  assert.equal(half(`${'f'.repeat(18)}${'0'.repeat(14)}`, undefined), false);
  assert.deepEqual([half(LOW, parent(true)), half(HIGH, parent(false))], [false, true]);
  const ofParent = createSample('parentbased_traceidratio', 0.5);
  assert.deepEqual([ofParent(LOW, parent(true)), ofParent(HIGH, parent(false))], [true, false]);
  assert.deepEqual([ofParent(LOW, undefined), ofParent(HIGH, undefined)], [false, true]);

  const ids = Array.from({ length: 4_000 }, () => randomBytes(16).toString('hex'));
  const taken = (ratio: number) => {
    const sample = createSample('traceidratio', ratio);
    return ids.filter((id) => sample(id, undefined));
  };
  assert.deepEqual(taken(1), ids);
  assert.deepEqual(taken(0), []);
  const tenth = taken(0.1);
  assert.ok(tenth.length > 300 && tenth.length < 500, `${tenth.length} of 4000`);
  const wider = new Set(taken(0.2));
  assert.ok(tenth.every((id) => wider.has(id)));
});
