import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findProblem, loadText } from '../fixture.ts';

test('an account may be allowed more than the service allows, within the time that a store remembers', () => {
  const { accounts } = loadText('accounts: { acc_1: { limits: { sendsPerDestination: [50/10m, 200/1d] } } }');
  assert.deepEqual(accounts, {
    acc_1: {
      limits: {
        sendsPerDestination: [
          { max: 50, windowMs: 600_000 },
          { max: 200, windowMs: 86_400_000 },
        ],
      },
    },
  });
  loadText(`limits: { sendsPerDestination: [5/10m, 100/7d] }
accounts: { acc_1: { limits: { sendsPerDestination: [900/7d] } } }`);
  assert.match(
    findProblem('accounts: { acc_1: { limits: { failedGuessesPerDestination: [9/10m, 50/2d] } } }'),
    /^accounts\.acc_1\.limits\.failedGuessesPerDestination\[1\].*: has a window of 2d, longer than those of limits\.failedGuessesPerDestination/,
  );
});

test('accounts stand by their ids, because names can change', () => {
  assert.match(findProblem('accounts: { Shop: { limits: {} } }'), /^accounts\.Shop/);
  assert.match(findProblem('accounts: { acc_1: { limit: {} } }'), /^accounts\.acc_1\.limit\b/);
  assert.match(
    findProblem('accounts: { acc_1: { limits: { sendsPerDestination: [] } } }'),
    /^accounts\.acc_1\.limits\.sendsPerDestination/,
  );
});
