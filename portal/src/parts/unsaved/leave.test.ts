import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  endQuestion,
  forgetChanges,
  isInUse,
  leave,
  type OpenForm,
  watchForm,
  whatIsAsked,
} from './leave.ts';

/** As much of a document as is asked for: it holds these forms. */
const holding = (...forms: readonly OpenForm[]) =>
  ({ contains: (element: unknown) => forms.some((form) => form.element === element) }) as Node;

function formThat(isChanged: boolean, isSending = false) {
  const form = { element: {} as HTMLFormElement, isChanged: () => isChanged, isSending: () => isSending };
  return { form, end: watchForm(form) };
}

test('who leaves nothing goes on at once, and who leaves changes when they say so', () => {
  const [typed, whole] = [formThat(true), formThat(false)];
  const gone: string[] = [];
  leave(holding(whole.form), () => gone.push('whole'));
  assert.equal(whatIsAsked(), undefined);
  leave(holding(whole.form, typed.form), () => {
    // What follows from it is not asked about again.
    leave(holding(typed.form), () => gone.push('typed'));
  });
  assert.deepEqual(gone, ['whole']);
  const first = whatIsAsked();
  first?.goOn();
  assert.deepEqual(gone, ['whole', 'typed']);
  leave(holding(typed.form), () => gone.push('again'));
  assert.deepEqual(gone, ['whole', 'typed'], 'the next one is asked about');
  if (first !== undefined) endQuestion(first);
  const second = whatIsAsked();
  assert.ok(second !== undefined && second !== first, 'the end of the first is not the end of the next');
  endQuestion(second);
  assert.equal(whatIsAsked(), undefined);

  typed.end();
  leave(holding(typed.form), () => gone.push('closed'));
  assert.equal(gone.at(-1), 'closed');
  const other = formThat(true);
  forgetChanges();
  leave(holding(other.form), () => gone.push('forgotten'));
  assert.equal(gone.at(-1), 'forgotten');
});

test('a form is in use while it is changed or sent', () => {
  for (const [isChanged, isSending, expected] of [
    [false, false, false],
    [true, false, true],
    [false, true, true],
  ] as const) {
    const { form, end } = formThat(isChanged, isSending);
    assert.equal(isInUse(holding(form)), expected);
    assert.equal(isInUse(holding()), false, 'not one elsewhere');
    end();
  }
});
