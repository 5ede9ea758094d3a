/** The operations. Loaded with the first request, because most services never get one. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { GivenBody } from '../../core/body/body.ts';
import { CHANNEL_NAMES, type Channel, isBasic, isMissedCall } from '../../core/destination/channel.ts';
import { parseAnyDestination } from '../../core/destination/destination.ts';
import { plainNumber } from '../../core/destination/plain-number.ts';
import type { Telephone } from '../../core/verification/by-number/by-number.ts';
import type { Inquired, InquiryAnswer } from '../../core/verification/reading/inquiry.ts';
import { type Form, fieldOf } from '../form.ts';
import { readRepeatable } from '../idempotency-key.ts';
import { callerOf } from '../request.ts';
import type { TwilioDeps } from './deps.ts';
import { invalidParameter, notFound, sendTwilioRefusal, type TwilioRefusal } from './errors.ts';
import { TWILIO_LIMITED, twilioRefusalOf } from './outcomes.ts';
import { idOfSid, type Shown, showCheck, showFeedback, showVerification } from './resource.ts';

export interface TwilioRequest {
  Params: { readonly service: string; readonly sid?: string };
  Body: Form | undefined;
}

type Request = FastifyRequest<TwilioRequest>;
type Answer = FastifyReply | Promise<FastifyReply>;
type Operation = (request: Request, reply: FastifyReply, deps: TwilioDeps) => Answer;

const TO = 'expected a telephone number in E.164 format, such as +14155550123';
const NO_PSD2: TwilioRefusal = {
  code: 60204,
  message: 'This service does not verify transactions: no Amount, no Payee',
};

const NOT_BROUGHT: TwilioRefusal = {
  code: 60204,
  message: 'Only a verification with a CustomCode can be approved',
};
const NO_GUESSES: TwilioRefusal = { code: 60202, message: 'Max check attempts reached' };
const TAGS = 'expected a JSON object of at most 10 strings';

const create: Operation = async (request, reply, { clock, verifier }) => {
  const form = request.body;
  const asked = fieldOf(form, 'Channel');
  const offered = verifier().channels;
  const wrongChannel = invalidParameter('Channel', expectedOf(offered));
  const channel = asked === undefined ? undefined : channelOf(asked);
  if (channel === undefined) return sendTwilioRefusal(reply, wrongChannel);
  if (isTransaction(form)) return sendTwilioRefusal(reply, NO_PSD2);
  const to = fieldOf(form, 'To');
  if (to === undefined || !isInternational(to)) return sendTwilioRefusal(reply, invalidParameter('To', TO));
  const digits = channel === 'voice' ? fieldOf(form, 'SendDigits') : undefined;
  const extension = digits && /^[wW]*(\d{1,8})[wW]*#?$/.exec(digits)?.[1];
  if (digits !== undefined && extension === undefined) {
    return sendTwilioRefusal(
      reply,
      invalidParameter('SendDigits', 'expected 1 to 8 digits, and pauses (w) around them'),
    );
  }
  const repeatable = readRepeatable(request);
  if (!repeatable.ok) {
    return sendTwilioRefusal(
      reply,
      invalidParameter('Idempotency-Key', 'expected 1 to 255 visible ASCII characters'),
    );
  }
  const metadata = readTags(fieldOf(form, 'Tags'));
  if (metadata === 'malformed') return sendTwilioRefusal(reply, invalidParameter('Tags', TAGS));
  const destination = extension === undefined ? to : `tel:${to};ext=${extension}`;
  const { idempotencyKey } = repeatable;
  // Under a key, the first request may have come while a route served the channel: the verifier looks.
  if (idempotencyKey === undefined && !offered.includes(channel))
    return sendTwilioRefusal(reply, wrongChannel);
  const wanted = { destination, channel, idempotencyKey, metadata, ...readBody(form) };
  const answer = await verifier().request(callerOf(request), wanted);
  if (answer.kind !== 'issued') return sendTwilioRefusal(reply, twilioRefusalOf(answer));
  const shown: Shown = { ...answer, status: 'pending', updatedAt: clock.wall() };
  return reply.code(201).send(showVerification(request, shown, []));
};

const check: Operation = async (request, reply, deps) => {
  const form = request.body;
  if (isTransaction(form)) return sendTwilioRefusal(reply, NO_PSD2);
  const code = fieldOf(form, 'Code');
  if (code === undefined || code.length > 64) {
    return sendTwilioRefusal(reply, invalidParameter('Code', 'expected the code as the person typed it'));
  }
  const telephone = readTelephone(request.body);
  if (telephone !== undefined && 'code' in telephone) return sendTwilioRefusal(reply, telephone);
  const unknown = { kind: 'unknown' } as const;
  const answer =
    telephone === undefined ? unknown : await deps.numbers.check(callerOf(request), telephone, code);
  switch (answer.kind) {
    case 'limited':
      return sendTwilioRefusal(reply, { ...TWILIO_LIMITED.key, retryAfterMs: answer.retryAfterMs });
    case 'unknown':
      return sendTwilioRefusal(reply, notFound(`/Services/${request.params.service}/VerificationCheck`));
    case 'attempts-exhausted':
      return sendTwilioRefusal(reply, NO_GUESSES);
    case 'confirmed':
    case 'mismatch': {
      const status = answer.kind === 'confirmed' ? 'approved' : 'pending';
      const shown = { ...answer, status, updatedAt: deps.clock.wall() } as const;
      return reply.send(showCheck(request, shown));
    }
  }
};

const fetch: Operation = async (request, reply, deps) => {
  const found = await find(request, deps, request.params.sid);
  return 'code' in found ? sendTwilioRefusal(reply, found) : reply.send(show(request, found, 'pending'));
};

const update: Operation = async (request, reply, deps) => {
  const status = fieldOf(request.body, 'Status');
  if (status !== 'canceled' && status !== 'approved') {
    return sendTwilioRefusal(reply, invalidParameter('Status', 'expected canceled or approved'));
  }
  const found = await find(request, deps, request.params.sid);
  if ('code' in found) return sendTwilioRefusal(reply, found);
  const refusal = await (status === 'approved' ? approve : cancel)(request, deps, found.id);
  if (refusal !== undefined) return sendTwilioRefusal(reply, refusal);
  return reply.send(show(request, { ...found, updatedAt: deps.clock.wall() }, status));
};

type Change = (request: Request, deps: TwilioDeps, id: string) => Promise<TwilioRefusal | undefined>;

/** Others may have been quicker since the verification was found live; then it is found no more. */
const approve: Change = async (request, { numbers }, id) => {
  switch (await numbers.approve(callerOf(request), id)) {
    case 'confirmed':
      return undefined;
    case 'attempts-exhausted':
      return NO_GUESSES;
    case 'not-brought':
      return NOT_BROUGHT;
    case 'unknown':
      return notFound(pathOf(request));
  }
};

const cancel: Change = async (request, { numbers }, id) =>
  (await numbers.cancel(callerOf(request), id)) ? undefined : notFound(pathOf(request));

/** `unconfirmed` is what every message is until somebody says more: it takes back what was said. */
const VERDICTS = { confirmed: 'good', unconfirmed: null } as const;

const feedback: Operation = async (request, reply, deps) => {
  const outcome = fieldOf(request.body, 'Outcome') ?? 'confirmed';
  if (outcome !== 'confirmed' && outcome !== 'unconfirmed') {
    return sendTwilioRefusal(reply, invalidParameter('Outcome', 'expected confirmed or unconfirmed'));
  }
  const id = idOfSid(request.params.sid ?? '');
  const unknown = { kind: 'unknown' } as const;
  const answer =
    id === undefined ? unknown : await deps.giveFeedback(callerOf(request), id, VERDICTS[outcome]);
  switch (answer.kind) {
    case 'limited':
      return sendTwilioRefusal(reply, { ...TWILIO_LIMITED[answer.scope], retryAfterMs: answer.retryAfterMs });
    case 'unknown':
      return sendTwilioRefusal(reply, notFound(`/Messages/${request.params.sid}/Feedback.json`));
    case 'given':
      return reply.code(201).send(showFeedback(request, answer.id, outcome, deps.clock.wall()));
  }
};

export const OPERATIONS = { create, check, fetch, update, feedback } as const;

/** Twilio's names, and ours where it has none. Applications that are written for it expect a message, or a call that speaks. */
function channelOf(name: string): Channel | undefined {
  if (name === 'call') return 'voice';
  return name === 'auto' ? 'sms' : CHANNEL_NAMES.find((each) => each === name && !isMissedCall(each));
}

function expectedOf(offered: readonly Channel[]): string {
  const further = offered.filter((channel) => !isBasic(channel) && !isMissedCall(channel));
  return `expected ${['sms', 'call', ...further].join(', ')} or auto`;
}

/** What else Twilio lets a request say, in our words. */
function readBody(form: Form | undefined): GivenBody {
  const options = {
    ...{ locale: fieldOf(form, 'Locale'), appHash: fieldOf(form, 'AppHash') },
    customCode: fieldOf(form, 'CustomCode'),
  };
  const ip = fieldOf(form, 'DeviceIp');
  const isAny = Object.values(options).some((value) => value !== undefined);
  return { options: isAny ? options : undefined, signals: ip === undefined ? undefined : { ip } };
}

/** What is in the pairs is checked with the rest of the request. */
function readTags(text: string | undefined): GivenBody['metadata'] | 'malformed' {
  if (text === undefined) return undefined;
  try {
    const tags: unknown = JSON.parse(text);
    return isObject(tags) ? tags : 'malformed';
  } catch {
    return 'malformed';
  }
}

/** The values are checked later (core/body/metadata.ts). */
function isObject(value: unknown): value is Record<string, string> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isTransaction(form: Form | undefined): boolean {
  return fieldOf(form, 'Amount') !== undefined || fieldOf(form, 'Payee') !== undefined;
}

/** Twilio has neither our URIs nor numbers without a calling code. */
const isInternational = (to: string): boolean => plainNumber(to).startsWith('+');

/** Where a check is for, by itself or by a verification: a code that was sent again is another one of ours. Undefined: no id of ours. */
function readTelephone(form: Form | undefined): Telephone | TwilioRefusal | undefined {
  const to = fieldOf(form, 'To');
  const sid = fieldOf(form, 'VerificationSid');
  if (to === undefined && sid !== undefined) {
    const id = idOfSid(sid);
    return id === undefined ? undefined : { id };
  }
  const parsed = to !== undefined && isInternational(to) ? parseAnyDestination(to) : undefined;
  return parsed?.ok === true ? { address: parsed.destination.address } : invalidParameter('To', TO);
}

type Found = Inquired & { readonly destination: string; readonly updatedAt?: number };

/** A live verification, or why there is none. */
async function find(request: Request, { numbers }: TwilioDeps, sid = ''): Promise<Found | TwilioRefusal> {
  const id = idOfSid(sid);
  const unknown: InquiryAnswer = { kind: 'unknown' };
  const found = id === undefined ? unknown : await numbers.findLive(callerOf(request), id);
  if (found.kind === 'limited') return { ...TWILIO_LIMITED.key, retryAfterMs: found.retryAfterMs };
  if (found.kind === 'unknown' || found.destination === undefined) return notFound(pathOf(request));
  return { ...found, destination: found.destination };
}

function show(request: Request, found: Found, status: Shown['status']) {
  const { attempts, createdAt } = found;
  const updatedAt = found.updatedAt ?? attempts.at(-1)?.changedAt ?? createdAt;
  const sent = attempts.map(({ channel, startedAt: at }) => ({ channel, at }));
  return showVerification(request, { ...found, status, updatedAt }, sent);
}

/** The path without what this service adds to it. */
const pathOf = ({ params: { service, sid } }: Request): string => `/Services/${service}/Verifications/${sid}`;
