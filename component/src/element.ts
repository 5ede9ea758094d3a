/** `<countersign-verify>`: asks for a number, then for the code that was sent to it. */
import { type Accepted, ask, type Reason, type Refused } from './ask.ts';
import { type Channel, channelsIn, insteadOf } from './channel.ts';
import { type CodeForm, readCode } from './code.ts';
import { complaintOf, type Step } from './complaint.ts';
import { Countdown } from './countdown.ts';
import { countriesIn, firstCountry, inGroups, toE164, withoutCallingCode } from './countries.ts';
import type { ConfirmedDetail, ErrorDetail, SentDetail } from './events.ts';
import { type Language, languageOf } from './language.ts';
import { takeNumber } from './number-field.ts';
import { sentNews, show } from './show.ts';
import { LengthSheet, sharedSheet } from './style.ts';
import { createView } from './view.ts';
import { receiveCode } from './web-otp.ts';

const DEFAULT_LENGTH = 6;
const DEFAULT_RESEND_S = 30;
/** Of a code that it is not the right one, or no longer. */
const JUDGED: readonly Reason[] = ['mismatch', 'exhausted', 'expired'];

/** A server has no elements, and may import this all the same. */
const Base = globalThis.HTMLElement ?? class {};

export class CountersignVerify extends Base {
  static readonly formAssociated = true;
  static readonly observedAttributes = [
    'alphabet',
    'channels',
    'countries',
    'country',
    'dir',
    'lang',
    'length',
    'required',
  ];

  readonly #internals = this.attachInternals();
  readonly #view = createView();
  readonly #places = new LengthSheet();
  readonly #countdown = new Countdown((left) => this.#tick(left));
  #step: Step | 'done' = 'number';
  #country = '';
  /** A country or a number was entered, which no attribute takes away. */
  #isEdited = false;
  #sent: SentDetail | undefined;
  #refused: Refused | undefined;
  /** What was pressed, while its request is under way. */
  #pressed: HTMLButtonElement | undefined;
  /** The request that is under way. */
  #request: AbortController | undefined;
  /** Settles when the last request has its answer. */
  #answered: Promise<unknown> = Promise.resolve();
  /** What listens for the SMS. */
  #listener: AbortController | undefined;
  /** It is not sent a second time by itself. */
  #lastCode = '';

  constructor() {
    super();
    const shadow = this.attachShadow({ mode: 'open' });
    shadow.adoptedStyleSheets = [sharedSheet(), this.#places.sheet];
    const { root, numberStep, codeStep, country, number, code, ...buttons } = this.#view;
    const { send, sendOther, again, againOther } = buttons;
    shadow.append(root);
    const onSubmit = (form: HTMLFormElement, act: () => unknown) =>
      form.addEventListener('submit', (event) => {
        event.preventDefault();
        act();
      });
    onSubmit(numberStep, () => this.#send(send, this.#channels[0]));
    onSubmit(codeStep, () => this.#check());
    const take = (event: Event) => {
      if (!this.#isBusy) this.#edit(takeNumber(number, event, this.#country, this.#countries));
    };
    for (const name of ['input', 'compositionend']) number.addEventListener(name, take);
    // Not what was said of the number: it is the same one.
    number.addEventListener('change', (event) => {
      if (this.#isBusy) return;
      this.#country = takeNumber(number, event, this.#country, this.#countries);
      this.#render();
    });
    country.addEventListener('change', () => {
      // It cannot be read-only as the fields are.
      if (this.#isBusy) return this.#render();
      number.value = inGroups(withoutCallingCode(number.value), country.value);
      this.#edit(country.value);
    });
    code.addEventListener('input', (event) => {
      if (!(event instanceof InputEvent && event.isComposing)) this.#take(code.value);
    });
    code.addEventListener('compositionend', () => this.#take(code.value));
    code.addEventListener('paste', (event) => {
      event.preventDefault();
      this.#take(event.clipboardData?.getData('text') ?? '');
    });
    sendOther.addEventListener('click', () => this.#send(sendOther, this.#instead()));
    again.addEventListener('click', () => this.#send(again, this.#sent?.channel));
    againOther.addEventListener('click', () => this.#send(againOther, this.#instead(this.#sent?.channel)));
    buttons.change.addEventListener('click', () => {
      this.#goTo('number');
      number.focus();
    });
  }

  connectedCallback(): void {
    this.#update();
    this.#countdown.resume();
    this.#listen();
  }

  disconnectedCallback(): void {
    this.#stop();
    this.#countdown.pause();
  }

  attributeChangedCallback(): void {
    if (this.isConnected) this.#update();
  }

  /** The form around it was reset. */
  formResetCallback(): void {
    this.reset();
  }

  /** Begins again: without a number, a code or a confirmation. */
  reset(): void {
    this.#view.number.value = '';
    this.#country = this.#firstCountry();
    this.#isEdited = false;
    this.#sent = undefined;
    this.#goTo('number');
  }

  /** Until the answer is there, what was sent stays as it is. */
  get #isBusy(): boolean {
    return this.#request !== undefined;
  }

  get #channels(): readonly Channel[] {
    return channelsIn(this.getAttribute('channels'));
  }

  get #countries(): readonly string[] {
    return countriesIn(this.getAttribute('countries'));
  }

  get #codeForm(): CodeForm {
    const length = Number(this.getAttribute('length') ?? DEFAULT_LENGTH);
    return {
      length: Number.isInteger(length) && length > 0 ? length : DEFAULT_LENGTH,
      alphabet: this.getAttribute('alphabet') === 'letters' ? 'letters' : 'digits',
    };
  }

  get #language(): Language {
    const lang = this.closest('[lang]')?.getAttribute('lang');
    return languageOf(lang ? [lang] : navigator.languages);
  }

  #update(): void {
    if (!this.#isEdited || !this.#countries.includes(this.#country)) this.#country = this.#firstCountry();
    this.#render();
  }

  #firstCountry(): string {
    return firstCountry(this.getAttribute('country'), navigator.languages, this.#countries);
  }

  /** What is offered in place of that channel, or of the first. */
  #instead(of = this.#channels[0] ?? 'sms'): Channel {
    return insteadOf(of, this.#channels);
  }

  async #send(button: HTMLButtonElement, channel: Channel = 'sms'): Promise<void> {
    if (this.#isBusy || this.#countdown.left > 0) return;
    const { number, code, status } = this.#view;
    const known = this.#step === 'code' ? this.#sent?.destination : undefined;
    const destination = known ?? toE164(number.value, this.#country);
    if (destination === undefined) return this.#refuse({ ok: false, reason: 'invalid' });
    const answer = await this.#ask(button, 'start-url', '/verify/start', { destination, channel });
    if (answer === undefined) return;
    if (!answer.ok) return this.#refuse(answer);
    const sent = { destination, channel: answer.channel ?? channel };
    this.#sent = sent;
    this.#goTo('code');
    this.#countdown.start(answer.resendAfter ?? DEFAULT_RESEND_S);
    this.#listen();
    this.#focus(code);
    status.textContent = sentNews(destination, sent.channel, this.#language.words);
    this.#emit('countersign-sent', sent);
  }

  /** Takes what was typed, pasted or received, and sends it as soon as it is complete. */
  #take(text: string): void {
    if (this.#isBusy) return;
    const { code } = this.#view;
    const read = readCode(text, this.#codeForm);
    if (code.value !== read) code.value = read;
    if (read.length === this.#codeForm.length && read !== this.#lastCode) this.#check();
  }

  async #check(): Promise<void> {
    if (this.#isBusy || this.#sent === undefined) return;
    const { destination } = this.#sent;
    const { value: code } = this.#view.code;
    if (code === '') return this.#refuse({ ok: false, reason: 'invalid' });
    const answer = await this.#ask(this.#view.confirm, 'check-url', '/verify/check', { code });
    if (answer === undefined) return;
    if (answer.ok || JUDGED.includes(answer.reason)) this.#lastCode = code;
    if (!answer.ok) return this.#refuse(answer);
    this.#goTo('done');
    const { done, status } = this.#view;
    if (!this.#focus(done)) status.textContent = done.textContent;
    this.#emit('countersign-confirmed', { destination });
  }

  #ask(
    button: HTMLButtonElement,
    attribute: string,
    standard: string,
    body: object,
  ): Promise<Accepted | Refused | undefined> {
    this.#pressed = button;
    const answered = this.#exchange(this.getAttribute(attribute) ?? standard, body);
    this.#answered = answered;
    return answered;
  }

  /** Undefined if the person went elsewhere meanwhile. */
  async #exchange(url: string, body: object): Promise<Accepted | Refused | undefined> {
    const request = new AbortController();
    this.#request = request;
    this.#refused = undefined;
    this.#view.status.textContent = '';
    this.#render();
    try {
      return await ask(url, body, request.signal);
    } catch (error) {
      if (request.signal.aborted) return undefined;
      throw error;
    } finally {
      if (this.#request === request) this.#request = undefined;
      this.#render();
    }
  }

  #refuse(refused: Refused): void {
    const step = this.#step === 'code' ? 'code' : 'number';
    const { reason, code, retryAfter, attemptsRemaining } = refused;
    this.#refused = refused;
    if (retryAfter !== undefined) this.#countdown.start(retryAfter);
    this.#render();
    const { [step]: field, status } = this.#view;
    const isRead = this.#focus(field);
    if (!isRead) status.textContent = complaintOf(step, refused, this.#language);
    // A wrong code is typed anew; a number is mended.
    if (JUDGED.includes(reason) && field.matches(':focus')) field.select();
    this.#emit('countersign-error', { step, reason, code, retryAfter, attemptsRemaining });
  }

  /** Whoever went on to another field of the page meanwhile stays there. Says whether the focus moved: then the target is read out. */
  #focus(target: HTMLElement): boolean {
    const { activeElement, body } = this.ownerDocument;
    const isElsewhere = activeElement !== null && activeElement !== body && !this.matches(':focus-within');
    if (isElsewhere || target.matches(':focus')) return false;
    target.focus();
    return true;
  }

  /** It is another number now: neither what was said of the last one nor the wait applies to it. */
  #edit(country: string): void {
    this.#country = country;
    this.#isEdited = true;
    this.#refused = undefined;
    this.#countdown.clear();
    this.#render();
  }

  #goTo(step: Step | 'done'): void {
    this.#stop();
    this.#step = step;
    this.#refused = undefined;
    this.#lastCode = '';
    this.#view.code.value = '';
    this.#view.status.textContent = '';
    this.#countdown.clear();
    this.#render();
  }

  #listen(): void {
    this.#listener?.abort();
    if (this.#step !== 'code' || this.#sent?.channel !== 'sms') return;
    this.#listener = new AbortController();
    const { signal } = this.#listener;
    receiveCode(async (code) => {
      await this.#answered;
      if (!signal.aborted) this.#take(code);
    }, signal);
  }

  /** What is under way is for nobody any more. */
  #stop(): void {
    this.#request?.abort();
    this.#request = undefined;
    this.#listener?.abort();
  }

  #tick(left: number): void {
    this.#render();
    // The seconds are not read out; that they are over is.
    if (left === 0 && this.#step === 'code') this.#view.status.textContent = this.#language.words.ready;
  }

  #render(): void {
    const language = this.#language;
    this.#places.set(this.#codeForm.length);
    show(this.#view, {
      language,
      dir: this.getAttribute('dir') ?? language.dir,
      step: this.#step,
      country: this.#country,
      countries: this.#countries,
      channels: this.#channels,
      codeForm: this.#codeForm,
      sent: this.#sent,
      refused: this.#refused,
      left: this.#countdown.left,
      pressed: this.#isBusy ? this.#pressed : undefined,
    });
    this.#internals.setFormValue(this.#step === 'done' ? 'confirmed' : null);
    const isMissing = this.hasAttribute('required') && this.#step !== 'done';
    if (!isMissing) this.#internals.setValidity({});
    else {
      const { code, number } = this.#view;
      const field = this.#step === 'code' ? code : number;
      this.#internals.setValidity({ valueMissing: true }, language.words.needed, field);
    }
  }

  #emit(name: string, detail: SentDetail | ConfirmedDetail | ErrorDetail): void {
    this.dispatchEvent(new CustomEvent(name, { detail, bubbles: true, composed: true }));
  }
}
