import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatContext, readContext } from './context.ts';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const SPAN = '00f067aa0ba902b7';
const PARENT = `00-${TRACE}-${SPAN}-01`;
const read = (traceparent: string | undefined) => readContext(traceparent, undefined);
const stateOf = (tracestate: string) => readContext(PARENT, tracestate)?.state;

test('a traceparent is read and written', () => {
  assert.deepEqual(read(PARENT), { traceId: TRACE, spanId: SPAN, sampled: true, state: undefined });
  assert.equal(read(`00-${TRACE}-${SPAN}-00`)?.sampled, false);
  // Other flags are for others, and a later version may say more.
  assert.equal(read(`00-${TRACE}-${SPAN}-03`)?.sampled, true);
  assert.equal(read(`00-${TRACE}-${SPAN}-02`)?.sampled, false);
  assert.equal(read(`cc-${TRACE}-${SPAN}-01`)?.traceId, TRACE);
  assert.equal(read(`cc-${TRACE}-${SPAN}-01-what-the-future-brings`)?.traceId, TRACE);
  for (const sampled of [true, false]) {
    const context = { traceId: TRACE, spanId: SPAN, sampled, state: undefined };
    assert.deepEqual(read(formatContext(context)), context);
  }
});

test('anything else is none', () => {
  const none = [
    undefined,
    '',
    TRACE,
    ` ${PARENT}`,
    `${PARENT}-`,
    `${PARENT}-more`,
    `${PARENT}, ${PARENT}`,
    PARENT.toUpperCase(),
    `ff-${TRACE}-${SPAN}-01`,
    `cc-${TRACE}-${SPAN}-01.`,
    `cc-${TRACE}-${SPAN}-011`,
    `0-${TRACE}-${SPAN}-01`,
    `00-${'0'.repeat(32)}-${SPAN}-01`,
    `00-${TRACE}-${'0'.repeat(16)}-01`,
    `00-${TRACE.slice(1)}-${SPAN}-01`,
    `00-${TRACE}-${SPAN}0-01`,
    `00-${TRACE}-${SPAN}-1`,
    `00-${TRACE}-${SPAN}-0x`,
    `00-${TRACE.replace('4', 'g')}-${SPAN}-01`,
  ];
  for (const traceparent of none) assert.equal(read(traceparent), undefined, String(traceparent));
  assert.equal(readContext([PARENT, PARENT], undefined), undefined);
});

test('a tracestate goes along whole, or not at all', () => {
  const member = (index: number) => `k${index}=v`;
  const valid = [
    'a=1',
    'a=1,b=2',
    'tenant@vendor=x',
    '0tenant@vendor=x',
    'a_-*/9=value with spaces!',
    Array.from({ length: 32 }, (_, index) => member(index)).join(','),
    `a=${'x'.repeat(256)}`,
  ];
  for (const state of valid) assert.equal(stateOf(state), state);
  assert.equal(stateOf('a=1 ,\tb=2,'), 'a=1,b=2');
  const invalid = [
    '',
    ',',
    'a',
    '=1',
    'A=1',
    '0a=1',
    'a=1,a=2',
    'a=1=2',
    'a=1,b',
    'a@0b=1',
    'a=\u00e9',
    `a=${'x'.repeat(257)}`,
    `a=${'x'.repeat(250)},b=${'x'.repeat(250)},c=${'x'.repeat(10)}`,
    Array.from({ length: 33 }, (_, index) => member(index)).join(','),
  ];
  for (const state of invalid) assert.equal(stateOf(state), undefined, state);
  assert.equal(readContext('none', 'a=1'), undefined);
});
