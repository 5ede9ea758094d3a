/** A signed-in browser, as far as the server can tell: its cookie, its headers, a kept connection. */
import { readFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { Agent, request } from 'node:https';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Target } from '../connection.ts';

const PASSWORD = 'the four owls of the mill';

export class Browser implements Disposable {
  readonly #target: Target;
  readonly #cookie: string;
  readonly #agent = new Agent({ keepAlive: true });

  private constructor(target: Target, cookie: string) {
    this.#target = target;
    this.#cookie = cookie;
  }

  /** Makes the first owner of the service in this folder, with the link in its log. */
  static async setUp(target: Target, folder: string): Promise<Browser> {
    const token = await tokenOf(folder);
    using first = new Browser(target, '');
    const owner = { token, name: 'Bench', email: 'bench@example.com', password: PASSWORD };
    const answer = await first.#ask('POST', '/setup', JSON.stringify(owner));
    if (answer.statusCode !== 204) throw new Error(`no owner was made: ${await text(answer)}`);
    const [cookie = ''] = answer.headers['set-cookie'] ?? [];
    return new Browser(target, cookie.slice(0, cookie.indexOf(';')));
  }

  /** The browser of a session that somebody began. */
  static withCookie(target: Target, cookie: string): Browser {
    return new Browser(target, cookie);
  }

  /** `name=value`. */
  get cookie(): string {
    return this.#cookie;
  }

  /** The same session after a restart of the service. */
  at(target: Target): Browser {
    return new Browser(target, this.#cookie);
  }

  /** The answer to `GET /portal/api...`. */
  async read(path: string): Promise<string> {
    const answer = await this.#ask('GET', path);
    const body = await text(answer);
    if (answer.statusCode !== 200) throw new Error(`GET ${path}: ${answer.statusCode} ${body}`);
    return body;
  }

  #ask(method: string, path: string, body = ''): Promise<IncomingMessage> {
    const { port, ca } = this.#target;
    const headers = {
      cookie: this.#cookie,
      'content-type': 'application/json',
      'sec-fetch-site': 'same-origin',
    };
    const options = { port, ca, method, path: `/portal/api${path}`, agent: this.#agent };
    return new Promise((resolve, reject) => {
      request({
        ...options,
        host: 'localhost',
        headers: method === 'GET' ? { cookie: this.#cookie } : headers,
      })
        .once('response', resolve)
        .once('error', reject)
        .end(body);
    });
  }

  [Symbol.dispose](): void {
    this.#agent.destroy();
  }
}

/** The link is printed a moment after the service is ready. */
async function tokenOf(folder: string): Promise<string> {
  for (let tries = 0; tries < 100; tries++) {
    const log = readFileSync(join(folder, 'server.log'), 'utf8');
    const token = /\/portal\/setup#(\S+)/.exec(log)?.[1];
    if (token !== undefined) return token;
    await sleep(20);
  }
  throw new Error('the service printed no link for its first owner');
}
