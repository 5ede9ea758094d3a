/** People find what was done by what it is about: every action has its group. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AUDIT_ACTIONS } from '../../core/accounts/audit-action.ts';
import { ACTION_GROUPS, type ActionGroup, matches } from './filter.ts';

const groupsOf = (action: string): ActionGroup[] =>
  ACTION_GROUPS.filter((group) =>
    matches({ who: '', address: null, action, subject: '', detail: '' }, { group }),
  );

test('every action is in one group, and in none of those for the rest', () => {
  for (const action of AUDIT_ACTIONS) {
    const groups = groupsOf(action);
    assert.equal(groups.length, 1, action);
    assert.notDeepEqual(groups, ['other'], `${action} has no group: add its first word to one`);
  }
});

test('text is found as people read it, and as it is kept', () => {
  const entry = {
    who: 'Ada',
    address: null,
    action: 'key.revoked',
    subject: 'Shop ($& 3)',
    detail: 'unused',
  };
  for (const text of ['revoked the key', 'ada REVOKED', 'key shop ($& 3)', 'key.revoked', 'unus'])
    assert.ok(matches(entry, { text }), text);
  assert.ok(!matches(entry, { text: 'created the key' }));
  assert.ok(matches({ ...entry, action: 'session.began' }, { text: '($&' }), 'also what no sentence says');
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
