/** Shows a state: the only place that writes into the view what depends on it. */
import type { Refused } from './ask.ts';
import { APPS, type Channel, insteadOf } from './channel.ts';
import type { CodeForm } from './code.ts';
import { complaintOf, type Step } from './complaint.ts';
import { callingCodes, exampleOf, inGroups } from './countries.ts';
import { flagOf } from './flag.ts';
import { formatTime, type Language } from './language.ts';
import { countryOptions, type View } from './view.ts';
import type { Words } from './words/words.ts';

export interface State {
  readonly language: Language;
  readonly dir: string;
  readonly step: Step | 'done';
  readonly country: string;
  /** What the list of countries offers. */
  readonly countries: readonly string[];
  /** The first is offered first, and the others in turn. */
  readonly channels: readonly Channel[];
  readonly codeForm: CodeForm;
  readonly sent: { readonly destination: string; readonly channel: Channel } | undefined;
  readonly refused: Refused | undefined;
  /** Seconds until another code can be asked for. */
  readonly left: number;
  /** What was pressed, while its request is under way. */
  readonly pressed: HTMLButtonElement | undefined;
}

export function show(view: View, state: State): void {
  const { language, step, channels, sent, left, codeForm } = state;
  const { words, tag } = language;
  showLanguage(view, state);
  view.numberStep.hidden = step !== 'number';
  view.codeStep.hidden = step !== 'code';
  view.done.hidden = step !== 'done';
  showCountry(view, state);
  view.code.inputMode = codeForm.alphabet === 'letters' ? 'text' : 'numeric';
  const isBusy = state.pressed !== undefined;
  // Not disabled: the focus stays.
  for (const field of [view.number, view.code]) field.readOnly = isBusy;

  const [first = 'sms'] = channels;
  write(view.send, first === 'voice' ? words.call : words.send);
  showOther(view.sendOther, first, channels, words);
  const used = sent?.channel ?? first;
  showAgain(view, used, left, language);
  showOther(view.againOther, used, channels, words);
  if (sent !== undefined) showNumber(view.sent, sentText(sent.channel, words), writtenOf(sent.destination));

  for (const form of [view.numberStep, view.codeStep]) form.setAttribute('aria-busy', String(isBusy));
  for (const button of [view.send, view.sendOther, view.again, view.againOther, view.confirm]) {
    const isPressed = button === state.pressed;
    const isWaiting = left > 0 && button !== view.confirm;
    button.setAttribute('aria-busy', String(isPressed));
    button.setAttribute('aria-disabled', String(isWaiting || (isBusy && !isPressed)));
  }
  const wait = left > 0 && step === 'number' ? words.wait.replace('{time}', formatTime(left, tag)) : '';
  write(view.numberWait, wait);
  for (const place of ['number', 'code'] as const) {
    const complaint =
      state.refused === undefined || step !== place ? '' : complaintOf(place, state.refused, language);
    write(view[`${place}Error`], complaint);
    const isInvalid = complaint !== '' && isAboutField(state.refused);
    view[place].setAttribute('aria-invalid', String(isInvalid));
    view.fields[place].part.toggle('invalid', isInvalid);
  }
}

/** A number as it is shown: in groups, with its calling code. */
const writtenOf = (destination: string): string => inGroups(destination, '');

/** What is read out of a code that was sent. */
export const sentNews = (destination: string, channel: Channel, words: Words): string =>
  sentText(channel, words).replace('{number}', writtenOf(destination));

const sentText = (channel: Channel, words: Words): string =>
  channel === 'voice' ? words.calling : inApp(words.sent, words.sentInApp, channel);

/** Of two texts the one that has a place for the app, if there is one. */
function inApp(text: string, withApp: string, channel: Channel): string {
  const app = APPS[channel];
  return app === undefined ? text : withApp.replace('{app}', app);
}

function showLanguage(view: View, { language: { words, tag }, dir }: State): void {
  const { root } = view;
  root.dir = dir;
  if (root.lang === tag) return;
  root.lang = tag;
  view.country.setAttribute('aria-label', words.country);
  write(view.numberLabel, words.number);
  write(view.codeLabel, words.code);
  write(view.confirm, words.confirm);
  write(view.change, words.change);
  write(view.done, words.done);
}

function showCountry({ country: list, ...view }: View, { country, countries, language }: State): void {
  const offered = `${language.tag} ${countries.join(' ')}`;
  if (list.getAttribute('data-offered') !== offered) {
    list.setAttribute('data-offered', offered);
    list.replaceChildren(...countryOptions(countries, language.tag));
  }
  // Not into a list that is open just now.
  if (list.value !== country) list.value = country;
  write(view.flag, flagOf(country));
  write(view.callingCode, `+${callingCodes.get(country)}`);
  view.number.placeholder = exampleOf(country);
}

/** What is left of the wait, and then the button. */
function showAgain({ again, codeWait }: View, used: Channel, left: number, { words, tag }: Language): void {
  const [name, wait] = used === 'voice' ? [words.callAgain, words.callAgainIn] : [words.again, words.againIn];
  again.hidden = left > 0;
  write(again, name);
  codeWait.hidden = left === 0;
  write(codeWait, left > 0 ? wait.replace('{time}', formatTime(left, tag)) : '');
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
  shown.id = 'destination';
  shown.textContent = number;
  place.replaceChildren(before, shown, after);
}

/** Not again what is there: a screen reader would read it again. */
function write(place: HTMLElement, text: string): void {
  if (place.textContent !== text) place.textContent = text;
}

const isAboutField = (refused: Refused | undefined): boolean =>
  refused?.reason === 'invalid' || refused?.reason === 'mismatch';
