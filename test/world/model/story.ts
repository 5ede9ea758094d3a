/** For the tests of the model: a short history told line by line. */
import type { Command } from '../command.ts';
import type { Answer, Happening, Sent } from '../happening.ts';
import type { FixedOptions, LiveOptions } from '../options.ts';
import { Model } from './model.ts';
import { DAY, MINUTE } from './table.ts';

export const FIXED: FixedOptions = {
  code: { length: 6, validFor: 10 * MINUTE, guesses: 3 },
  limits: {
    sendsPerDestination: ['3/10m'],
    failedGuessesPerDestination: ['5/1d'],
    requestsPerKey: ['20/1m'],
  },
  retention: { verifications: 2 * DAY, events: 4 * DAY },
  guard: 'off',
};
export const LIVE: LiveOptions = {
  countries: [],
  route: [
    { carrier: 'one', price: 0.05 },
    { carrier: 'two', price: 0.1 },
  ],
  budgets: [],
};
export const US = '+14155550101';
export const DE = '+4915112345678';

export const refused = (
  status: number,
  type: string,
  more: object = {},
  headers: Answer['headers'] = {},
): Answer => ({
  status,
  body: { type: `/problems/${type}`, status, ...more },
  headers: status === 503 || status === 429 ? { 'retry-after': '5', ...headers } : headers,
});
export const invalid = (field: string, code: string): Answer =>
  refused(400, 'invalid-request', { errors: [{ field, code, detail: '' }] });
export const problem = (status: number, code: number): Answer => ({
  status,
  body: { code, status, message: '' },
  headers: { 'retry-after': '5' },
});
export const done = (body: object, status = 200): Answer => ({ status, body, headers: {} });

/** As a message comes whose secret nobody knows. */
export const unsigned = (at: number) => ({ body: '', timestamp: String(at / 1000), signature: 'v1,x' });

export class Story {
  model: Model;
  at = Date.UTC(2026, 10, 20, 12);
  n = 0;

  constructor(fixed: Partial<FixedOptions> = {}, live: Partial<LiveOptions> = {}) {
    this.model = new Model({ ...FIXED, ...fixed }, { ...LIVE, ...live });
  }

  happening(command: Command, answer: Answer = done({})): Extract<Happening, { kind: 'command' }> {
    this.n += 1;
    return { kind: 'command', n: this.n, command, answer, at: this.at, until: this.at };
  }
  /** What the model says of it. */
  does(command: Command, answer?: Answer): string | undefined {
    return this.model.judge(this.happening(command, answer));
  }
  wait(ms: number): void {
    this.at += ms;
  }
  verify(more: Partial<Extract<Command, { do: 'verify' }>> = {}, answer?: Answer): string | undefined {
    const command = { do: 'verify', key: 'a-live', to: US, channel: 'sms', ...more } as const;
    return this.does(
      command,
      answer ?? done({ id: `ver_${this.n + 1}`, destination: command.to, channel: command.channel }),
    );
  }
  sent(code: string, more: Partial<Sent> = {}): string | undefined {
    const it: Sent = {
      carrier: 'one',
      channel: 'sms',
      to: US,
      code,
      did: 'accepted',
      reference: `r-${code}`,
      ...more,
    };
    return this.model.judge({ kind: 'sent', at: this.at, ...it }) ?? this.model.end();
  }
  /** Carrier `one` reports that a code has arrived. */
  delivered(code: string): void {
    const report = { carrier: 'one', reference: `r-${code}`, status: 'delivered', taken: 'yes' } as const;
    this.model.judge({ kind: 'reported', at: this.at, ...report });
  }
  /** Asks for a code, has it sent, and lets a second pass; its command's number. */
  code(code: string, more: Partial<Extract<Command, { do: 'verify' }>> = {}): number {
    const why = this.verify(more) ?? this.sent(code, more.to === undefined ? {} : { to: more.to });
    if (why !== undefined) throw new Error(why);
    this.wait(1000);
    return this.n;
  }
  confirm(
    id: number,
    code: string,
    answer?: Answer,
    more: { key?: string; once?: string; to?: string } = {},
  ): string | undefined {
    const { key = 'a-live', to = US, ...once } = more;
    const body = {
      id: `ver_${id}`,
      destination: to,
      channel: 'sms',
      confirmed_at: new Date(this.at).toISOString(),
    };
    return this.does({ do: 'confirm', key, id, code, ...once }, answer ?? done(body));
  }
  twilio(more: Partial<Extract<Command, { do: 'twilio-check' }>>, answer: Answer): string | undefined {
    return this.does({ do: 'twilio-check', key: 'a-live', of: US, code: '111111', ...more }, answer);
  }
  turnsOn(): void {
    this.does({ do: 'settings', account: 'a', twilio: true, countries: [] });
    this.wait(2000);
  }
}
export const mismatch = (left: number): Answer => refused(403, 'code-mismatch', { attempts_remaining: left });
export const approved = (id: string): Answer => done({ sid: id, to: US, status: 'approved', valid: true });
export const pending = (id: string): Answer => done({ sid: id, to: US, status: 'pending', valid: false });
