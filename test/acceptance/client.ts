/** What the suites speak to a service with: HTTPS over kept-alive connections, and nothing of the server's code. */
import { randomInt } from 'node:crypto';
import http, { type IncomingHttpHeaders } from 'node:http';
import https from 'node:https';
import { setTimeout as sleep } from 'node:timers/promises';
import { createSecureContext, type SecureContext } from 'node:tls';
import { inTurn } from './handshakes.ts';

/** The members that any answer of the service may have; which of them it has is for the tests to say. */
export interface Body {
  readonly id?: string;
  readonly destination?: string;
  readonly channel?: string;
  readonly confirmed_at?: string;
  readonly created_at?: string;
  readonly expires_at?: string;
  readonly guesses_left?: number;
  readonly attempts?: readonly Readonly<Record<string, string>>[];
  readonly type?: string;
  readonly title?: string;
  /** Of a verification, or of a problem. */
  readonly status?: string | number;
  readonly detail?: string;
  readonly instance?: string;
  readonly budget?: string;
  readonly errors?: readonly { readonly field: string; readonly code: string; readonly detail: string }[];
  readonly attempts_remaining?: number;
}

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  /** The parsed body; empty when the body is not JSON. */
  readonly json: Body;
}

/** A message of the simulator, as `GET /simulator/messages` shows it. */
export interface Message {
  readonly id: string;
  readonly destination: string;
  readonly channel: string;
  readonly text: string;
  readonly code: string;
  readonly at: string;
}

export interface RequestOptions {
  /** The API key to send in place of the client's; null sends none. */
  readonly key?: string | null;
  readonly headers?: Readonly<Record<string, string>>;
  /** Bytes sent as they are in place of a JSON body. */
  readonly raw?: string | Buffer;
  /** Whether to ask again, as clients should, when the service is overloaded and has done nothing; it is by default. */
  readonly askAgain?: boolean;
}

/** A machine that tests share may hold a service up past what it calls overload, for as long as it has other things to do. */
const ASK_AGAIN_MS = 250;

/** By the certificate that they trust. To read it for each connection takes longer than a request. */
const contexts = new Map<string, SecureContext>();

function trusting(ca: string): SecureContext {
  const context = contexts.get(ca) ?? createSecureContext({ ca });
  contexts.set(ca, context);
  return context;
}

export type Client = ReturnType<typeof createClient>;

/** `ca` is PEM; `connections` caps the simultaneous ones; `from` is the address of this machine to connect from (IPv4). */
export function createClient(target: {
  readonly baseUrl: string;
  readonly ca: string | undefined;
  readonly key: string;
  readonly connections?: number;
  readonly from?: string | undefined;
}) {
  const isSecure = target.baseUrl.startsWith('https:');
  const { Agent, request } = isSecure ? https : http;
  const options = {
    keepAlive: true,
    // In turn: behind a load balancer, requests one after another reach all nodes, if a connection to each is open.
    scheduling: 'fifo',
    maxSockets: target.connections ?? Number.POSITIVE_INFINITY,
    ...(target.ca === undefined || !isSecure ? {} : { secureContext: trusting(target.ca) }),
    ...(target.from === undefined ? {} : { localAddress: target.from, family: 4 }),
  } as const;
  const agent = inTurn(new Agent(options), isSecure ? 'secureConnect' : 'connect');

  async function send(method: string, path: string, body?: unknown, options: RequestOptions = {}) {
    for (;;) {
      const answer = await sendOnce(method, path, body, options);
      const isOverloaded = answer.status === 503 && saysOverloaded(answer);
      if (!isOverloaded || options.askAgain === false) return answer;
      await sleep(ASK_AGAIN_MS);
    }
  }

  function sendOnce(method: string, path: string, body: unknown, options: RequestOptions): Promise<Answer> {
    const { key = target.key, headers, raw } = options;
    const payload = raw ?? (body === undefined ? undefined : JSON.stringify(body));
    return new Promise((resolve, reject) => {
      const outgoing = request(
        new URL(path, target.baseUrl),
        {
          method,
          agent,
          headers: {
            ...(key === null ? {} : { authorization: `Bearer ${key}` }),
            ...(payload === undefined
              ? {}
              : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(payload) }),
            ...headers,
          },
        },
        (incoming) => {
          const chunks: Buffer[] = [];
          incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
          incoming.on('error', reject);
          incoming.on('end', () => {
            const text = Buffer.concat(chunks).toString();
            resolve({ status: incoming.statusCode ?? 0, headers: incoming.headers, text, json: parse(text) });
          });
        },
      );
      outgoing.on('error', (error) => {
        // RFC 9112, section 9.3.1: a server may close an idle connection in the moment in which it is used again, and what is
        // only read can be asked for again.
        if (method === 'GET' && outgoing.reusedSocket && 'code' in error && error.code === 'ECONNRESET') {
          resolve(sendOnce(method, path, body, options));
        } else reject(error);
      });
      outgoing.end(payload);
    });
  }

  const post = (path: string, body: unknown, options?: RequestOptions) => send('POST', path, body, options);
  const get = (path: string, options?: RequestOptions) => send('GET', path, undefined, options);

  /** The account's messages to a destination, newest first. */
  async function messages(destination: string, options?: RequestOptions): Promise<Message[]> {
    const answer = await get(`/simulator/messages?destination=${encodeURIComponent(destination)}`, options);
    if (answer.status !== 200) throw new Error(`messages answered ${answer.status}: ${answer.text}`);
    return JSON.parse(answer.text);
  }

  /** The message of one verification, as soon as it has arrived. */
  async function message(destination: string, id: string, options?: RequestOptions): Promise<Message> {
    const found = await eventually(async () =>
      (await messages(destination, options)).find((message) => message.id === id),
    );
    if (found === undefined) throw new Error(`no message of ${id} arrived`);
    return found;
  }

  const verify = (destination: string, channel = 'sms', options?: RequestOptions) =>
    post('/verify', { destination, channel }, options);

  /** Requests a verification, which must succeed, and reads its code off the simulated telephone. */
  async function issue(destination: string, channel = 'sms', options?: RequestOptions) {
    const answer = await verify(destination, channel, options);
    const { id } = answer.json;
    if (answer.status !== 200 || id === undefined) {
      throw new Error(`verify answered ${answer.status}: ${answer.text}`);
    }
    const { code } = await message(answer.json.destination ?? destination, id, options);
    return { id, code };
  }

  return {
    send,
    post,
    get,
    messages,
    message,
    verify,
    issue,
    confirm: (id: string, code: string, options?: RequestOptions) => post('/confirm', { id, code }, options),
    close: () => agent.destroy(),
  };
}

/** Opens two connections, which are used in turn: if two nodes stand behind the address, one leads to each. */
export const openTwo = (client: Client) =>
  Promise.all([client.get('/healthz', { key: null }), client.get('/healthz', { key: null })]);

/** The kebab-case name that a problem's `type` ends in. */
/** As a problem, or as the façade of Twilio Verify says it. */
const saysOverloaded = (answer: Answer): boolean =>
  problemOf(answer) === 'overloaded' || /"code":20503,"message":"The service is overloaded/.test(answer.text);

export function problemOf({ json }: Answer): string | undefined {
  return json.type?.split(/[/#]/).at(-1);
}

/** The names of the fields that a 400 complains of, in alphabetical order. */
export function faultyFields({ json }: Answer): string[] {
  return (json.errors ?? []).map(({ field }) => field).sort();
}

/** Why it complains of each, sorted too: `destination no_route`. */
export function reasons({ json }: Answer): string[] {
  return (json.errors ?? []).map(({ field, code }) => `${field} ${code}`).sort();
}

const drawn = new Set<string>();

/**
 * A mobile number of Germany that this process has not used before, and no other one as far as chance can tell. None begins
 * +4915199, so that tests can have rules for that range.
 */
export function freshNumber(): string {
  const number = `+49151${String(randomInt(99e6)).padStart(8, '0')}`;
  if (drawn.has(number)) return freshNumber();
  drawn.add(number);
  return number;
}

/** A code of the same shape that is not this one. */
export function wrongCode(code: string): string {
  return (code.startsWith('0') ? '1' : '0') + code.slice(1);
}

/** Between two questions; what takes long is asked for less and less often, because each question costs something. */
const [SOON_MS, LATER_MS] = [20, 100];

/** Asks again until there is an answer, or gives up. The last question is asked after the deadline, even if the machine stood still. */
export async function eventually<T>(
  ask: () => Promise<T | undefined>,
  deadlineMs = 30_000,
): Promise<T | undefined> {
  const end = Date.now() + deadlineMs;
  for (let pause = SOON_MS; ; pause = Math.min(pause * 1.3, LATER_MS)) {
    const isLast = Date.now() > end;
    const answer = await ask();
    if (answer !== undefined || isLast) return answer;
    await sleep(pause);
  }
}

/**
 * A second, in which the service sees several times what others have changed. It is asked all the while: if the machine
 * stands still, the service has the rest of its second all the same.
 */
export async function secondOf({ get }: Pick<Client, 'get'>): Promise<void> {
  for (let part = 0; part < 10; part++) {
    await sleep(100);
    await get('/healthz', { key: null });
  }
}

function parse(text: string): Body {
  try {
    const parsed: unknown = JSON.parse(text);
    return typeof parsed === 'object' && parsed !== null ? parsed : {};
  } catch {
    return {};
  }
}
