/** One message of the SMS API v3, or of the Voice Message API v3. We choose the id of a message; its callback has it too. */
import type { Registration } from '../../core/message/registered.ts';
import type { CarrierPorts } from '../../core/sending/carrier.ts';
import type { CallbackUrls } from '../callback-url.ts';
import type { MakeRequest } from '../gateway/carrier.ts';
import { dialledDigits } from '../gateway/dialling.ts';
import { postJson } from '../gateway/request.ts';
import type { MakeCall } from '../gateway/voices/speech.ts';
import { lifeOf } from '../rcs.ts';
import { type Senders, senderOf } from '../sender-of.ts';
import { timeLeft } from '../time-left.ts';
import { createLanguageChooser } from '../whatsapp/template.ts';
import type { InfobipOptions } from './options.ts';

/** Infobip's own bounds for a period of validity, in min. */
const MAX_VALIDITY_MIN = 48 * 60;
/** The same of an RCS message, in s. Infobip names no least; below ours, the platform of the networks may report both ends. */
const RCS_LIFE_S = [10, MAX_VALIDITY_MIN * 60] as const;

const digits = (number: string) => number.replace(/^\+/, '');
const minutesIn = (ms: number) => Math.min(Math.max(Math.floor(ms / 60_000), 1), MAX_VALIDITY_MIN);

type Ports = Pick<CarrierPorts, 'clock' | 'random'>;

export function createMessageMaker(
  { clock, random }: Ports,
  apiKey: string,
  senders: Senders,
  urls: CallbackUrls | undefined,
): MakeRequest {
  const fromOf = senderOf(senders, digits);
  return ({ destination, text, expiresAt, registration }) => {
    const messageId = random.uuid();
    const message = {
      sender: fromOf(destination.country),
      destinations: [{ to: digits(destination.address), messageId }],
      content: { text: text.toWellFormed() },
      options: {
        validityPeriod: { amount: minutesIn(timeLeft(clock, expiresAt)), timeUnit: 'MINUTES' },
        ...(registration && { regional: { indiaDlt: indianIds(registration) } }),
      },
      // Otherwise the subscriptions of the account would be notified.
      webhooks: { delivery: urls === undefined ? { notify: false } : { url: urls.urlOf(messageId) } },
    };
    return postJson(`App ${apiKey}`, '/sms/3/messages', { messages: [message] });
  };
}

function indianIds({ entity, template }: Registration) {
  return { principalEntityId: entity, contentTemplateId: template };
}

export function createCallMaker(
  { clock, random }: Ports,
  apiKey: string,
  senders: Senders,
  urls: CallbackUrls | undefined,
): MakeCall<string> {
  const callerOf = senderOf(senders, digits);
  return ({ destination, text, expiresAt }, language) => {
    const number = dialledDigits(destination);
    if (number === undefined)
      return { kind: 'permanent', reason: `cannot dial a ${destination.kind} address` };
    const messageId = random.uuid();
    const message = {
      from: callerOf(destination.country),
      destinations: [{ to: digits(number), messageId }],
      text: text.toWellFormed(),
      language,
      validityPeriod: minutesIn(timeLeft(clock, expiresAt)),
      ...(urls && { notifyUrl: urls.urlOf(messageId), notifyContentType: 'application/json' }),
    };
    return postJson(`App ${apiKey}`, '/tts/3/advanced', { messages: [message] });
  };
}

/** Without a failover of Infobip's own: that is what the route is for. */
export function createRcsMaker(
  { clock, random }: Ports,
  apiKey: string,
  senders: Senders,
  urls: CallbackUrls | undefined,
): MakeRequest {
  const fromOf = senderOf(senders);
  return ({ destination, text, ...times }) => {
    const messageId = random.uuid();
    const message = {
      sender: fromOf(destination.country),
      destinations: [{ to: digits(destination.address), messageId }],
      content: { type: 'TEXT', text: text.toWellFormed() },
      options: { validityPeriod: { amount: lifeOf(times, clock, RCS_LIFE_S), timeUnit: 'SECONDS' } },
      ...(urls && { webhooks: { delivery: { url: urls.urlOf(messageId) } } }),
    };
    return postJson(`App ${apiKey}`, '/rcs/2/messages', { messages: [message] });
  };
}

/** The template's button is of the type URL to Infobip, too: its parameter is what it copies. */
export function createTemplateRequestMaker(
  { random }: Ports,
  apiKey: string,
  whatsapp: NonNullable<InfobipOptions['whatsapp']>,
  urls: CallbackUrls | undefined,
): MakeRequest {
  const languageOf = createLanguageChooser(whatsapp);
  return ({ destination, code, locale }) => {
    const messageId = random.uuid();
    const message = {
      from: digits(whatsapp.from),
      to: digits(destination.address),
      messageId,
      content: {
        templateName: whatsapp.template,
        templateData: { body: { placeholders: [code] }, buttons: [{ type: 'URL', parameter: code }] },
        language: languageOf(locale),
      },
      ...(urls && { notifyUrl: urls.urlOf(messageId) }),
    };
    return postJson(`App ${apiKey}`, '/whatsapp/1/message/template', { messages: [message] });
  };
}
