/** People find what was done by what it is about: every action that is written has its group. */
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { ACTION_GROUPS, type ActionGroup, matches } from './filter.ts';

const SRC = join(import.meta.dirname, '../..');
/** `action: 'key.created'`, and `auditWebhook('webhook.added'`. */
const WRITTEN = /\b(?:action: |audit\w+\(\s*)'([a-z-]+\.[a-z-]+)'/g;

const actions = new Set(
  globSync('{accounts,alerts,identity,portal}/**/*.ts', { cwd: SRC })
    .filter((file) => !file.endsWith('.test.ts'))
    .flatMap((file) => [...readFileSync(join(SRC, file), 'utf8').matchAll(WRITTEN)])
    .map(([, action = '']) => action),
);

const groupsOf = (action: string): ActionGroup[] =>
  ACTION_GROUPS.filter((group) =>
    matches({ who: '', address: null, action, subject: '', detail: '' }, { group }),
  );

test('every action that is written is in one group, and in none of those for the rest', () => {
  assert.ok(actions.size > 30, `${actions.size} actions were found`);
  for (const action of actions) {
    const groups = groupsOf(action);
    assert.equal(groups.length, 1, action);
    assert.notDeepEqual(groups, ['other'], `${action} has no group: add its first word to one`);
  }
});

test('the groups are those that people expect', () => {
  for (const [action, group] of [
    ['key.rotated', 'keys'],
    ['member.joined', 'people'],
    ['session.began', 'sign-in'],
    ['password.refused', 'sign-in'],
    ['number.stopped', 'numbers'],
    ['guard.denied', 'guard'],
    ['webhook.added', 'webhooks'],
    ['alerts.webhook-added', 'alerts'],
    ['new.thing', 'other'],
  ] as const)
    assert.deepEqual(groupsOf(action), [group]);
});
