/** What a walk through the portal leaves behind, to be looked for afterwards. */
import assert from 'node:assert/strict';
import type { Answer, RequestOptions } from '../../acceptance/client.ts';
import { Evidence } from '../../faults/evidence.ts';
import type { Route } from '../catalogue.ts';
import { PASSWORD, type Visitor } from '../rig.ts';

export const NEW_PASSWORD = 'cobalt-violin-meadow';
export const RESET_PASSWORD = 'walnut-compass-tide';
export const LEAKED_PASSWORD = 'a-password-in-the-wrong-field';
export const MAIL_PASSWORD = 'teapot-meadow-anvil';
const SECRETS = [PASSWORD, NEW_PASSWORD, RESET_PASSWORD, LEAKED_PASSWORD];

/** Records which routes were answered as they should be, and every token that comes in a cookie. */
export class Walk {
  readonly done = new Set<string>();
  readonly digits = new Set<string>();
  readonly evidence = new Evidence(SECRETS);
  readonly #routes: readonly { readonly route: Route; readonly pattern: RegExp }[];

  constructor(routes: readonly Route[]) {
    this.#routes = routes.map((route) => ({
      route,
      pattern: new RegExp(`^${route.template.replace(/\{\w+\}/g, '[^/]+').replaceAll('.', '\\.')}$`),
    }));
  }

  note(method: string, path: string, answer: Pick<Answer, 'status'>): void {
    const [plain = ''] = path.split('?');
    const found = this.#routes.find(({ route, pattern }) => route.method === method && pattern.test(plain));
    assert.ok(found !== undefined, `${method} ${plain} is in the document`);
    if (answer.status < 300) this.done.add(found.route.name);
  }

  get left(): string[] {
    return this.#routes.map(({ route }) => route.name).filter((name) => !this.done.has(name));
  }

  /** A visitor whose every step is recorded. */
  watch(visitor: Visitor): Visitor {
    const send = async (method: string, path: string, body?: unknown, options?: RequestOptions) => {
      const answer = await visitor.send(method, path, body, options);
      this.note(method, path, answer);
      this.evidence.add(...visitor.cookies.values());
      return this.evidence.keep(answer);
    };
    return {
      ...visitor,
      send,
      get: (path) => send('GET', path),
      post: (path, body, options) => send('POST', path, body, options),
    };
  }

  code(digits: string): string {
    this.digits.add(digits);
    return digits;
  }

  token(link: string): string {
    const token = link.trim().split('#')[1] ?? '';
    assert.ok(token.length > 20);
    this.evidence.add(token);
    return token;
  }
}
