/** Servers of the accounts that are told of events, over a connection that is not there. */
import type { Post } from '../../../src/events/post.ts';
import type { Told } from '../happening.ts';

export class Endpoints {
  readonly #statuses = new Map<string, number>();
  readonly #told: (told: Told) => void;

  constructor(told: (told: Told) => void) {
    this.#told = told;
  }

  /** From now on the endpoint of an account answers this. */
  answer(account: string, status: number): void {
    this.#statuses.set(account, status);
  }

  /** As the service has its connections opened. */
  readonly open = (url: string): Post => {
    const account = new URL(url).pathname.slice(1);
    return {
      send: async (say) => {
        const said = await say();
        if (said === undefined) return { kind: 'withdrawn', reason: 'there was nothing to say' };
        const status = this.#statuses.get(account) ?? 204;
        const { headers, body } = said;
        const { type, data } = JSON.parse(body);
        const of = (name: string) => headers[`webhook-${name}`] ?? '';
        const signed = { body, timestamp: of('timestamp'), signature: of('signature') };
        const became = { took: status < 300, ...(status === 410 && { gone: true }) };
        this.#told({ account, id: of('id'), type, data, ...became, signed });
        return { kind: 'answered', status, retryAfterMs: undefined };
      },
      close: () => {},
    };
  };
}
