import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Story } from '../model/story.ts';
import { DAY, MINUTE } from '../model/table.ts';
import { edges } from './edges.ts';

test('whatever ends is asked for on both sides of its moment', () => {
  const story = new Story();
  const begun = story.at;
  story.code('123451', { once: 'once-1' });
  story.code('123452');
  story.code('123453');
  const [s] = story.model.states;
  assert.ok(s);
  const found = edges(s);
  const of = (kind: string) =>
    found.filter((it) => it.kind === kind).map(({ at, ask }) => [at - begun, ask?.do]);
  assert.deepEqual(of('sends'), [[10 * MINUTE, 'verify']]);
  assert.deepEqual(of('repeat'), [[DAY, 'verify']]);
  assert.deepEqual(of('retention').at(0), [2 * DAY, 'look']);
  assert.ok(of('code').some(([at, what]) => at === 10 * MINUTE && what === 'twilio-check'));
});
