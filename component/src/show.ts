/** Shows a state: the only place that writes into the view what depends on it. */
import type { Refused } from './ask.ts';
import { APPS, type Channel, insteadOf } from './channel.ts';
import type { CodeForm } from './code.ts';
import { complaintOf, type Step } from './complaint.ts';
import { callingCodes } from './countries.ts';
import { formatTime, type Language } from './language.ts';
import { countryOptions, type View } from './view.ts';
import type { Words } from './words/words.ts';

export interface State {
  readonly language: Language;
  readonly dir: string;
  readonly step: Step | 'done';
  readonly country: string;
  /** The first is offered first, and the others in turn. */
  readonly channels: readonly Channel[];
  readonly codeForm: CodeForm;
  readonly sent: { readonly destination: string; readonly channel: Channel } | undefined;
  readonly refused: Refused | undefined;
  /** Seconds until another code can be asked for. */
  readonly left: number;
  readonly isBusy: boolean;
}

export function show(view: View, state: State): void {
  const { language, step, channels, sent, left, codeForm } = state;
  const { words, tag } = language;
  showLanguage(view, state);
  view.numberStep.hidden = step !== 'number';
  view.codeStep.hidden = step !== 'code';
  view.done.hidden = step !== 'done';
  // Not into a list that is open just now.
  if (view.country.value !== state.country) view.country.value = state.country;
  view.code.inputMode = codeForm.alphabet === 'letters' ? 'text' : 'numeric';
  // Not disabled: the focus stays.
  for (const field of [view.number, view.code]) field.readOnly = state.isBusy;

  const [first = 'sms'] = channels;
  write(view.send, first === 'voice' ? words.call : words.send);
  showOther(view.sendOther, first, channels, words);
  const used = sent?.channel ?? first;
  write(view.again, used === 'voice' ? words.callAgain : words.again);
  showOther(view.againOther, used, channels, words);
  if (sent !== undefined) showNumber(view.sent, sentText(sent.channel, words), sent.destination);

  for (const form of [view.numberStep, view.codeStep]) form.setAttribute('aria-busy', String(state.isBusy));
  for (const button of [view.send, view.sendOther, view.again, view.againOther])
    button.setAttribute('aria-disabled', String(left > 0));
  const wait = left > 0 ? words.wait.replace('{time}', formatTime(left, tag)) : '';
  for (const place of ['number', 'code'] as const) {
    const complaint =
      state.refused === undefined || step !== place ? '' : complaintOf(place, state.refused, language);
    write(view[`${place}Error`], complaint);
    write(view[`${place}Wait`], step === place ? wait : '');
    const isInvalid = complaint !== '' && isAboutField(state.refused);
    view[place].setAttribute('aria-invalid', String(isInvalid));
  }
}

/** What was said of a number or a call, without the pieces that show it. */
export const sentText = (channel: Channel, words: Words): string =>
  channel === 'voice' ? words.calling : inApp(words.sent, words.sentInApp, channel);

/** Of two texts the one that has a place for the app, if there is one. */
function inApp(text: string, withApp: string, channel: Channel): string {
  const app = APPS[channel];
  return app === undefined ? text : withApp.replace('{app}', app);
}

function showLanguage({ root, country, ...view }: View, { language: { words, tag }, dir }: State): void {
  root.dir = dir;
  if (root.lang === tag) return;
  root.lang = tag;
  country.replaceChildren(...countryOptions(callingCodes, tag));
  write(view.countryLabel, words.country);
  write(view.numberLabel, words.number);
  write(view.codeLabel, words.code);
  write(view.confirm, words.confirm);
  write(view.change, words.change);
  write(view.done, words.done);
}

function showOther(
  button: HTMLButtonElement,
  channel: Channel,
  channels: readonly Channel[],
  words: Words,
): void {
  const other = insteadOf(channel, channels);
  button.hidden = other === channel;
  write(button, other === 'voice' ? words.callInstead : inApp(words.smsInstead, words.appInstead, other));
}

/** Puts the number into a text with `{number}`, so that it keeps its own direction. */
function showNumber(place: HTMLElement, text: string, number: string): void {
  if (place.textContent === text.replace('{number}', number)) return;
  const [before = '', after = ''] = text.split('{number}');
  const shown = document.createElement('bdi');
  shown.dir = 'ltr';
  shown.part.add('destination');
  shown.textContent = number;
  place.replaceChildren(before, shown, after);
}

/** Not again what is there: a screen reader would read it again. */
function write(place: HTMLElement, text: string): void {
  if (place.textContent !== text) place.textContent = text;
}

const isAboutField = (refused: Refused | undefined): boolean =>
  refused?.reason === 'invalid' || refused?.reason === 'mismatch';
