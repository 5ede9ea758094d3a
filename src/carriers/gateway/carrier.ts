/** What all carriers behind HTTP gateways do the same way: send a request over a kept connection, judge the answer, complain. */
import { CHANNEL_NAMES, type Channel } from '../../core/destination/channel.ts';
import { logOnceAMinute } from '../../core/reporting/log-once-a-minute.ts';
import {
  type Callback,
  type CallbackAnswer,
  type Carrier,
  type CarrierPorts,
  type Deadline,
  NOT_WANTED,
  type Outcome,
  type OutgoingMessage,
  type Revocation,
  type Spoken,
  type TakenMessage,
} from '../../core/sending/carrier.ts';
import {
  type CarrierTransport,
  createTransport,
  type GatewayAnswer,
  type GatewayRequest,
} from './transport.ts';
import type { Judge, Verdict } from './verdict.ts';

const PROBE_TIMEOUT_MS = 3_000;

/** A message that this carrier cannot send, such as a call to an extension that it cannot dial. */
export interface Unsendable {
  readonly kind: 'permanent';
  readonly reason: string;
}

/** `permit` is what the gateway gave for the message, if it is asked for one first. */
export type MakeRequest = (message: OutgoingMessage, permit?: string) => GatewayRequest | Unsendable;

/** Sends one request, to the line's origin if no other is named. Without an answer, the outcome says why. */
export type AskGateway = (request: GatewayRequest, origin?: URL) => Promise<GatewayAnswer | Outcome>;

/** The permit for a message, or what becomes of it without one. */
type GetPermit = (message: OutgoingMessage, ask: AskGateway) => Promise<string | Verdict>;

/** How a carrier sends over one channel. */
export interface GatewayLine {
  /** Scheme, host and port of the gateway. */
  readonly origin: URL;
  readonly request: MakeRequest;
  readonly judge: Judge;
  /** Absent if the gateway is not asked anything before a message. */
  readonly permit?: GetPermit;
  /** The gateway did not take the permit (401). */
  readonly forget?: (permit: string) => void;
  /** Where `permit` and `revoke` ask besides, such as for a token. */
  readonly besides?: URL;
  /** Takes a message back. Absent if the gateway cannot. */
  readonly revoke?: (taken: TakenMessage, ask: AskGateway) => Promise<Revocation>;
  /** Absent for texts, and if the gateway speaks in its own way. */
  readonly speaks?: (locale: string) => Spoken;
}

interface GatewayParts {
  readonly name: string;
  readonly lines: { readonly [channel in Channel]?: GatewayLine | undefined };
  /** CA of the gateway's certificate, PEM, if it is not a public one. */
  readonly ca?: string | undefined;
  /** Absent if the carrier reports nothing, or cannot prove that it is the sender. */
  readonly readCallback?: ((callback: Callback) => CallbackAnswer | Promise<CallbackAnswer>) | undefined;
  readonly acknowledge?: Carrier['acknowledge'];
  readonly largestCallback?: Carrier['largestCallback'];
}

/** To each origin, and so requests under way at once. */
const CONNECTIONS = 50;

/** Opens no connection yet. */
export function createGatewayCarrier(ports: CarrierPorts, parts: GatewayParts): Carrier {
  const { name, lines, ca, readCallback, acknowledge, largestCallback } = parts;
  const { clock, concurrency = CONNECTIONS } = ports;
  const log = logOnceAMinute(ports.log, clock.steady);
  const transports = new Map<string, CarrierTransport>();
  const transportTo = (url: URL): CarrierTransport => {
    const known = transports.get(url.origin);
    if (known !== undefined) return known;
    const made = createTransport(clock, url, { connections: concurrency, ca });
    transports.set(url.origin, made);
    return made;
  };
  const ways = new Map<Channel, { readonly line: GatewayLine; readonly transport: CarrierTransport }>();
  for (const channel of CHANNEL_NAMES) {
    const line = lines[channel];
    if (line === undefined) continue;
    ways.set(channel, { line, transport: transportTo(line.origin) });
    if (line.besides !== undefined) transportTo(line.besides);
  }
  const { speaks } = Object.values(lines).find((line) => line?.speaks) ?? {};
  const revokes = Object.values(lines).some((line) => line?.revoke !== undefined);

  const ask = async (
    transport: CarrierTransport,
    request: GatewayRequest,
    deadline: Deadline,
    mayRepeat?: boolean,
  ): Promise<GatewayAnswer | Outcome> => {
    if (deadline.wanted === false) return NOT_WANTED;
    const exchange = await transport.send(request, deadline, mayRepeat);
    if (exchange.kind === 'answered') return exchange.answer;
    const { reason, unclear } = exchange;
    return { kind: 'temporary', reason, ...(unclear && { unclear }) };
  };
  /** For what is asked before a message, or to take one back. `unsent` is not the message's: nothing of that leaves here. */
  const askBeside = (
    transport: CarrierTransport,
    deadline: Pick<Deadline, 'signal' | 'wanted'>,
    mayRepeat?: boolean,
  ): AskGateway => {
    const own: Deadline = {
      signal: deadline.signal,
      get wanted() {
        return deadline.wanted !== false;
      },
    };
    return (request, origin) =>
      ask(origin === undefined ? transport : transportTo(origin), request, own, mayRepeat);
  };

  const conclude = ({ outcome, complaint }: Verdict, status?: number): Outcome => {
    if (complaint) {
      log(complaint.level, complaint.message, { carrier: name, ...(status !== undefined && { status }) });
    }
    return outcome;
  };

  return {
    name,
    concurrency,
    start() {},
    async submit(message, deadline) {
      const way = ways.get(message.channel);
      if (way === undefined) return { kind: 'permanent', reason: `no ${message.channel}` };
      const { line, transport } = way;
      // A budget has room for it once.
      const mayRepeat = message.reserved !== true;
      deadline.unsent = true;
      // Most have none, and do not wait for it.
      const permit = line.permit && (await line.permit(message, askBeside(transport, deadline, mayRepeat)));
      if (typeof permit === 'object') return conclude(permit);
      const request = line.request(message, permit);
      if ('kind' in request) return request;
      if (line.speaks?.(message.locale) === 'in-english') {
        log('warn', `no voice for ${message.locale}; calls are made in English`, {
          carrier: name,
        });
      }
      const answer = await ask(transport, request, deadline, mayRepeat);
      if ('kind' in answer) return answer;
      if (answer.status === 401 && permit !== undefined) line.forget?.(permit);
      return conclude(line.judge(answer, clock.wall(), request.reference), answer.status);
    },
    ...(revokes && {
      revoke: (taken, signal) => {
        const way = ways.get(taken.channel);
        return way?.line.revoke?.(taken, askBeside(way.transport, { signal }));
      },
    }),
    async check() {
      try {
        await Promise.all(Array.from(transports.values(), (transport) => transport.probe(PROBE_TIMEOUT_MS)));
        const hosts = Array.from(transports.keys(), (origin) => new URL(origin).host);
        return { ok: true, detail: `connected to ${hosts.join(' and ')}` };
      } catch (error) {
        return { ok: false, detail: error instanceof Error ? error.message : 'unknown' };
      }
    },
    ...(speaks && { speaks }),
    ...(readCallback ? { readCallback } : { silent: true }),
    ...(acknowledge && { acknowledge }),
    ...(largestCallback && { largestCallback }),
    async stop() {
      for (const transport of transports.values()) transport.close();
    },
  };
}
