/** An application between people's browsers and the service: the handlers of the client, over the world's time and network. */
import { Countersign } from '../../../client/src/client.ts';
import { createHandlers } from '../../../client/src/handlers.ts';
import type { Platform } from '../../../client/src/settings.ts';
import type { Clock, Timer } from '../../../src/core/seams/clock.ts';
import type { Command } from '../command.ts';
import type { Answer } from '../happening.ts';
import type { Sending } from './node.ts';
import { randomFrom } from './random.ts';

type Asked = Extract<Command, { readonly do: 'app-start' | 'app-check' }>;
/** Undefined if the connection is lost. */
type Send = (sending: Sending) => Promise<Answer | undefined>;

const SECRET = 'kq3Zt9vLw2Xb8Rm5Yc7Pd4Hs6Jf1Ng0T';
const PAGE = 'https://app.example';
const OWN_PAGE = { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' };
const SEED = 11;

export class Application {
  readonly #platform: Platform;
  /** By the name of the browser. */
  readonly #cookies = new Map<string, string>();
  #isAsked = false;
  readonly #timers = new Set<Timer>();
  #requests = 0;

  constructor(clock: Clock) {
    this.#platform = {
      Date: { now: clock.wall },
      Math: { random: randomFrom(SEED, clock.wall).fraction },
      setTimeout: (call, ms) => {
        const timer = clock.after(ms, () => {
          this.#timers.delete(timer);
          call();
        });
        this.#timers.add(timer);
        return timer;
      },
      clearTimeout: (timer) => {
        for (const each of this.#timers) {
          if (each !== timer) continue;
          each[Symbol.dispose]();
          this.#timers.delete(each);
        }
      },
    };
  }

  /** Whether it waits for neither the service nor time: what signs its cookies answers from another thread. */
  get isBusy(): boolean {
    return this.#isAsked && this.#timers.size + this.#requests === 0;
  }

  /** What the service answered last, and what the browser's page got. One at a time: whose cookie is signed first is not the world's. */
  async ask(command: Asked, apiKey: string, send: Send): Promise<Answer> {
    let answered: Answer | undefined;
    const { start, check } = this.#handlers(apiKey, async (sending) => {
      this.#requests += 1;
      const answer = await send(sending).finally(() => {
        this.#requests -= 1;
      });
      answered = answer ?? LOST;
      return answer;
    });
    const isStart = command.do === 'app-start';
    const body = isStart ? { destination: command.to, channel: command.channel } : { code: command.code };
    this.#isAsked = true;
    const response = await (isStart ? start : check)(
      new Request(PAGE, {
        ...{ method: 'POST', body: JSON.stringify(body) },
        headers: { ...OWN_PAGE, cookie: this.#cookies.get(command.browser) ?? '' },
      }),
    );
    const page = { status: response.status, body: await response.json() };
    this.#isAsked = false;
    const cookie = response.headers.get('set-cookie');
    if (cookie !== null) this.#cookies.set(command.browser, cookie.split(';')[0] ?? '');
    return { ...(answered ?? NOT_ASKED), page };
  }

  #handlers(apiKey: string, send: Send) {
    const fetch = async (url: string, { method, headers, body }: RequestInit): Promise<Response> => {
      const answer = await send({
        ...{ method: method === 'GET' ? 'GET' : 'POST', url: url.slice(SERVICE.length) },
        headers: Object.fromEntries(new Headers(headers)),
        ...(typeof body === 'string' && { body }),
      });
      if (answer === undefined) throw new TypeError('the connection was lost');
      return Response.json(answer.body, { status: answer.status, headers: onlyOurs(answer.headers) });
    };
    const platform = this.#platform;
    const countersign = new Countersign({ apiKey, baseUrl: SERVICE, fetch, platform });
    const onConfirmed = () => undefined;
    return createHandlers({ countersign, secret: SECRET, onConfirmed, onError: () => {}, platform });
  }
}

const SERVICE = 'https://countersign.example';
const NOT_ASKED: Answer = { status: 0, body: null, headers: {} };
const LOST: Answer = {
  status: 503,
  body: { type: '/problems/outcome-unknown' },
  headers: { 'retry-after': '1' },
};

/** A length that is that of another text would be wrong. */
const onlyOurs = ({ 'content-type': type = '', 'retry-after': after }: Answer['headers']) => ({
  'content-type': type,
  ...(after !== undefined && { 'retry-after': after }),
});
