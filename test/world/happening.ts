/** What came back from the simulated service, and what it did to the world. */
import type { Channel, Command, Conduct, TakingBack } from './command.ts';
import type { Questioned } from './lookup.ts';

/** The answer of a command over HTTP: status, parsed body, and headers in lower case. Of the operator's: 200, or 4xx where it was refused. */
export interface Answer {
  /** 0 if an application did not ask the service. */
  readonly status: number;
  readonly body: unknown;
  /** What the page got, if an application is in between. */
  readonly page?: { readonly status: number; readonly body: unknown };
  readonly headers: Readonly<Record<string, string>>;
}

/** What a carrier was asked to send, and what it did with that. */
export interface Sent {
  readonly carrier: string;
  readonly channel: Channel;
  /** E.164. */
  readonly to: string;
  readonly code: string;
  readonly did: Conduct;
  /** What the carrier calls it, for its reports. */
  readonly reference: string;
  /** When it is not to be delivered any more, in Unix ms; only over RCS, and where another channel has its turn then. */
  readonly replacedAt?: number;
}

/** A carrier that is slow said that it took the message, and the process that had asked heard it. */
export type Took = Pick<Sent, 'carrier' | 'reference'>;

/** A carrier was asked to take back what it took, and what it answers. */
export interface AskedBack extends Pick<Sent, 'carrier' | 'channel' | 'reference'> {
  readonly answer: TakingBack;
}

/** What a carrier reported, and whether the service took it; of an outcome that is unknown nobody knows. */
export interface Reported {
  readonly carrier: string;
  readonly reference: string;
  readonly status: 'delivered' | 'undelivered';
  readonly taken: 'yes' | 'no' | 'unknown';
}

/** A webhook message that an endpoint of that account was sent, and whether it took it. */
export interface Told {
  readonly account: string;
  readonly id: string;
  readonly type: string;
  readonly data: unknown;
  readonly took: boolean;
  /** It answered that it is there no more: 410. */
  readonly gone?: boolean;
  /** As it came: the body, and of the headers `webhook-timestamp` and `webhook-signature`. */
  readonly signed: { readonly body: string; readonly timestamp: string; readonly signature: string };
}

/** What happened, in order. `at` is the world's time in Unix ms; a command that ran beside others has the span in which it ran. */
export type Happening =
  | {
      readonly kind: 'command';
      readonly n: number;
      readonly command: Command;
      readonly answer: Answer;
      readonly at: number;
      readonly until: number;
      /** The process that was asked, if it was one. */
      readonly process?: string;
    }
  | ({ readonly kind: 'questioned'; readonly at: number } & Questioned)
  | ({ readonly kind: 'sent'; readonly at: number } & Sent)
  | ({ readonly kind: 'took'; readonly at: number } & Took)
  | ({ readonly kind: 'asked back'; readonly at: number } & AskedBack)
  | ({ readonly kind: 'reported'; readonly at: number } & Reported)
  | ({ readonly kind: 'told'; readonly at: number } & Told);
