/** Leaving a form that somebody has changed: what would be lost, and the question before it is. */

export interface OpenForm {
  readonly element: HTMLFormElement;
  isChanged(): boolean;
  isSending(): boolean;
}

const open = new Set<OpenForm>();

/** Returns what ends it. */
export function watchForm(form: OpenForm): () => void {
  open.add(form);
  return () => open.delete(form);
}

export const wouldLose = (within: Node): boolean =>
  [...open].some((form) => within.contains(form.element) && form.isChanged());

/** Whether somebody is at a form there: what it shows is not changed under their hands. */
export const isInUse = (within: Node): boolean =>
  [...open].some((form) => within.contains(form.element) && (form.isSending() || form.isChanged()));

/** For whoever goes without a question: a session is over, or the page has said what is lost. */
export const forgetChanges = (): void => open.clear();

/** Whether to leave, and what goes on then. */
export interface Question {
  readonly number: number;
  readonly goOn: () => void;
}

const heard = new EventTarget();
const ASKED = 'asked';
let waiting: Question | undefined;
let count = 0;
/** Of one answer, all follows. */
let isAgreed = false;

/** Goes on, at once if nothing in there would be lost, otherwise when somebody says so. */
export function leave(within: Node, goOn: () => void): void {
  if (isAgreed || !wouldLose(within)) {
    goOn();
    return;
  }
  count += 1;
  ask({
    number: count,
    goOn() {
      isAgreed = true;
      try {
        goOn();
      } finally {
        isAgreed = false;
      }
    },
  });
}

function ask(question: Question | undefined): void {
  waiting = question;
  heard.dispatchEvent(new Event(ASKED));
}

/** It is asked no more. By then, there may be another one. */
export function endQuestion(question: Question): void {
  if (waiting === question) ask(undefined);
}

export const whatIsAsked = (): Question | undefined => waiting;

/** Returns what ends it. */
export function onAsked(told: () => void): () => void {
  heard.addEventListener(ASKED, told);
  return () => heard.removeEventListener(ASKED, told);
}
