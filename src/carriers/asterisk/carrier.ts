/** The carrier of type `asterisk`: calls that speak the code, through the operator's own Asterisk (ARI). */
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
import { dialStringOf } from './dial-string.ts';
import { judgeEnding } from './ending.ts';
import { AriLink } from './link.ts';
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

  async function call(message: OutgoingMessage, deadline: Deadline): Promise<Outcome> {
    const { signal } = deadline;
    const began = clock.steady();
    const dialling = dialStringOf(message.destination, options);
    if (!dialling.ok) return { kind: 'permanent', reason: dialling.reason };
    if (!link.isUp) return { kind: 'temporary', reason: 'no link to Asterisk', link: 'down' };
    const { englishFallback } = options;
    const sources = { prompts: await findPrompts(), speech, pause: PAUSE_S, englishFallback, log: quietLog };
    const sentence = await writeScript(message, sources);
    if ('speechless' in sentence) {
      const locale = sentence.speechless;
      quietLog('error', `Asterisk has no recorded digits for ${locale}, and no speech command speaks it`);
      return { kind: 'temporary', reason: `no way to speak the code in ${locale}` };
    }
    if (signal.aborted) return { kind: 'temporary', reason: 'timed out' };
    if (deadline.wanted === false) return NOT_WANTED;

    const { channel, line } = link.open();
    const abort = () => line.push({ kind: 'aborted' });
    signal.addEventListener('abort', abort, { once: true });
    try {
      const order = {
        channel,
        app: link.app,
        endpoint: dialling.endpoint,
        callerId: callerOf(message.destination.country),
        extension: dialling.extension,
        extensionPauseMs: EXTENSION_PAUSE_MS,
        ringMs: options.ringTimeout,
        totalMs: options.timeout - (clock.steady() - began) - RESERVE_MS,
        sentence,
        repeats: REPEATS,
        onMissing: () =>
          quietLog('warn', 'Asterisk cannot play a sound from speech.folder; check folderInAsterisk'),
      };
      const { outcome, complaint } = judgeEnding(await conductCall(clock, order, line, rest));
      if (complaint !== undefined) quietLog(complaint.level, complaint.message);
      return outcome;
    } finally {
      signal.removeEventListener('abort', abort);
      await link.close(channel);
    }
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
