/** The carrier of type `asterisk`: calls that speak the code, and missed calls whose number ends with it, through the operator's own Asterisk (ARI). */
import { isMissedCall } from '../../core/destination/channel.ts';
import { logOnceAMinute } from '../../core/reporting/log-once-a-minute.ts';
import {
  type Carrier,
  type CarrierPorts,
  type Deadline,
  type Log,
  NOT_WANTED,
  type Outcome,
  type OutgoingMessage,
  type Spoken,
} from '../../core/sending/carrier.ts';
import { prepareSenders } from '../sender-of.ts';
import { conductCall } from './call.ts';
import { checkAsterisk } from './check.ts';
import { type DialString, dialStringOf } from './dial-string.ts';
import { type Judgement, judgeEnding, judgeMissedCall } from './ending.ts';
import type { CallLine } from './line.ts';
import { AriLink } from './link.ts';
import { missCall } from './missed-call.ts';
import { drawCaller } from './number-blocks.ts';
import type { AsteriskOptions } from './options.ts';
import { findRecording, loadPrompts, type Prompts } from './prompts.ts';
import { createRest } from './rest.ts';
import { writeScript } from './script.ts';
import { Speech } from './speech.ts';

/** Reserved from the time for one call, so that it has ended before the time is up. */
const RESERVE_MS = 3_000;

const DIGITS = '0123456789';

/** Calls at once, unless the operator says how many channels the trunk allows. */
const CALLS = 30;
/** After dialling an extension, so that somebody can pick up. */
const EXTENSION_PAUSE_MS = 5_000;
/** Seconds of silence between the characters of a code. */
const PAUSE_S = 1;
/** How often the code is said without a key being pressed. */
const REPEATS = 2;

/** Opens no connection yet. */
export function createAsteriskCarrier(name: string, options: AsteriskOptions, ports: CarrierPorts): Carrier {
  const log: Log = (level, message, fields) => ports.log(level, message, { carrier: name, ...fields });
  const { clock, random } = ports;
  const quietLog = logOnceAMinute(log, clock.steady);
  const rest = createRest(clock, options);
  const speech = options.speech === undefined ? undefined : new Speech(clock, options.speech);
  let prompts: Promise<Prompts | undefined> | undefined;
  /** The recordings that Asterisk last reported. */
  let known: Prompts | undefined;
  let isStarted = false;
  const heardOrStopped = Promise.withResolvers<void>();
  const link = new AriLink(options, rest, {
    clock,
    random,
    log,
    onUp: () => {
      prompts = undefined;
      void findPrompts();
    },
  });
  const underWay = new Set<Promise<Outcome>>();
  const callerOf = prepareSenders({ from: options.callerId, senders: options.senders }, (caller) => caller);

  async function findPrompts(): Promise<Prompts> {
    prompts ??= loadPrompts(rest);
    const found = await prompts;
    if (found === undefined) prompts = undefined;
    else {
      known = found;
      heardOrStopped.resolve();
    }
    return found ?? new Map();
  }

  /** What the speech command can speak is known only when it runs. */
  function speaks(locale: string): Spoken {
    if (known === undefined) return undefined;
    if (findRecording(known, locale, DIGITS) !== undefined) return 'as-written';
    if (speech !== undefined) return undefined;
    return options.englishFallback ? 'in-english' : 'not-at-all';
  }

  /** Under the id of a new channel, which is hung up in the end, whatever happens. */
  async function onChannel(
    signal: AbortSignal,
    call: (channel: string, line: CallLine) => Promise<Judgement>,
  ): Promise<Outcome> {
    const { channel, line } = link.open();
    const abort = () => line.push({ kind: 'aborted' });
    signal.addEventListener('abort', abort, { once: true });
    try {
      const { outcome, complaint } = await call(channel, line);
      if (complaint !== undefined) quietLog(complaint.level, complaint.message);
      return outcome;
    } finally {
      signal.removeEventListener('abort', abort);
      await link.close(channel);
    }
  }

  async function call(message: OutgoingMessage, deadline: Deadline): Promise<Outcome> {
    const began = clock.steady();
    const dialling = dialStringOf(message.destination, options);
    if (!dialling.ok) return { kind: 'permanent', reason: dialling.reason };
    if (!link.isUp) return { kind: 'temporary', reason: 'no link to Asterisk', link: 'down' };
    return isMissedCall(message.channel)
      ? ringUp(message, dialling.endpoint, deadline)
      : speakTo(message, dialling, deadline, began);
  }

  async function ringUp({ code }: OutgoingMessage, endpoint: string, { signal }: Deadline): Promise<Outcome> {
    const { numbers = [], presented = '', ring = 0 } = options.flashcall ?? {};
    const from = drawCaller(numbers, code, random);
    if (from === undefined)
      return { kind: 'permanent', reason: 'no number of flashcall.numbers ends with it' };
    const callerId = presented.replace('{{fromDigits}}', from.slice(1)).replace('{{from}}', from);
    const order = { app: link.app, endpoint, callerId, reachMs: options.ringTimeout, ringMs: ring };
    return onChannel(signal, async (channel, line) =>
      judgeMissedCall(await missCall(clock, { channel, ...order }, line, rest)),
    );
  }

  async function speakTo(
    message: OutgoingMessage,
    { endpoint, extension }: DialString,
    deadline: Deadline,
    began: number,
  ): Promise<Outcome> {
    const { englishFallback } = options;
    const sources = { prompts: await findPrompts(), speech, pause: PAUSE_S, englishFallback, log: quietLog };
    const sentence = await writeScript(message, sources);
    if ('speechless' in sentence) {
      const locale = sentence.speechless;
      quietLog('error', `Asterisk has no recorded digits for ${locale}, and no speech command speaks it`);
      return { kind: 'temporary', reason: `no way to speak the code in ${locale}` };
    }
    const { signal } = deadline;
    if (signal.aborted) return { kind: 'temporary', reason: 'timed out' };
    if (deadline.wanted === false) return NOT_WANTED;
    return onChannel(signal, async (channel, line) => {
      const order = {
        channel,
        app: link.app,
        endpoint,
        callerId: callerOf(message.destination.country),
        extension,
        extensionPauseMs: EXTENSION_PAUSE_MS,
        ringMs: options.ringTimeout,
        totalMs: options.timeout - (clock.steady() - began) - RESERVE_MS,
        sentence,
        repeats: REPEATS,
        onMissing: () =>
          quietLog('warn', 'Asterisk cannot play a sound from speech.folder; check folderInAsterisk'),
      };
      return judgeEnding(await conductCall(clock, order, line, rest));
    });
  }

  return {
    name,
    link,
    concurrency: CALLS,
    start() {
      isStarted = true;
      link.start();
    },
    async submit(message: OutgoingMessage, deadline: Deadline) {
      const outcome = call(message, deadline);
      underWay.add(outcome);
      try {
        return await outcome;
      } finally {
        underWay.delete(outcome);
      }
    },
    check: () => checkAsterisk(options, rest, speech),
    speaks,
    async checkVoice(locale, symbols) {
      await findPrompts();
      // It may come up long after us. Whoever only asks, and starts nothing, need not wait.
      if (isStarted) await heardOrStopped.promise;
      if (known === undefined || findRecording(known, locale, symbols) !== undefined) return undefined;
      if (speech === undefined) return 'Asterisk has no recordings of it, and there is no speech command';
      const spelled = await speech.spell(locale, symbols);
      return spelled.ok ? undefined : spelled.reason;
    },
    async stop() {
      // Delivery may have just given up calls that still have to be hung up.
      await Promise.allSettled(underWay);
      speech?.stop();
      heardOrStopped.resolve();
      await link.stop();
    },
  };
}
