import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Problem, sentencesOf } from '../../portal/src/api/problem.ts';
import { PROBLEM_NAMES, PROBLEMS, type ProblemName } from '../../src/http/problem.ts';

/** Problems that no page shows: they go to carriers or API clients, or cannot happen to requests from pages. */
const ELSEWHERE: readonly ProblemName[] = [
  ...(['unauthenticated', 'invalid-key', 'code-mismatch', 'attempts-exhausted', 'forged-callback'] as const),
  ...(['verification-not-found', 'verification-expired', 'already-confirmed'] as const),
  'forged-hook',
  // Always answered with a text for the case.
  'conflict',
  // A test of a carrier goes over no route.
  'daily-cap-reached',
];
const FOR_PROGRAMS = /`|Retry-After|HTTP|\bpaths?\b|\bfields?\b|\berrors\b|\bheader|\bAPI\b|-needed|_/;

const problem = (name: ProblemName, errors: { field: string; detail: string }[] = []) => {
  const { title, status, doc } = PROBLEMS[name];
  return new Problem({ type: `/problems/${name}`, title, status, detail: doc, errors }, null);
};

describe('what people read', () => {
  for (const name of PROBLEM_NAMES.filter((each) => !ELSEWHERE.includes(each))) {
    test(`of ${name} is for people`, () => {
      const { title, message } = problem(name);
      assert.doesNotMatch(`${title} ${message}`, FOR_PROGRAMS);
    });
  }

  test('what the server says about this case is kept', () => {
    const details = { type: '/problems/conflict', title: 'x', status: 409 };
    assert.equal(
      new Problem({ ...details, detail: 'An account keeps an owner.' }, null).message,
      'An account keeps an owner.',
    );
  });

  test('fields have the names that the page shows, also if one mentions another', () => {
    const found = problem('invalid-request', [
      { field: 'to', detail: 'must be later than `from`' },
      { field: 'restrictions/countries/0', detail: 'must be two capitals' },
      { field: 'unheard_of', detail: 'is required' },
    ]);
    assert.deepEqual(sentencesOf(found.errors), [
      'The end must be later than the start.',
      'Countries must be two capitals.',
      'One of the fields is required.',
    ]);
    // A form finds its own fields by their names, and rows by their places.
    assert.equal(found.errors.get('restrictions.countries.0')?.detail, 'must be two capitals');
  });

  test('the time to wait is given as text', () => {
    const { title, status, doc } = PROBLEMS['too-many-attempts'];
    const waiting = new Problem({ type: '/problems/too-many-attempts', title, status, detail: doc }, '40');
    assert.match(waiting.message, /Try again in 40 seconds\.$/);
  });
});
