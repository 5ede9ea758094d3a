/** An endpoint that this node serves: its connections, those of its messages that are in memory, and how well it takes them. */
import type { DisabledWhy } from '../core/events/endpoint.ts';
import type { DueMessage, MessageFate } from '../core/events/event.ts';
import { DISABLED_AFTER_MS, LONGEST_RETRY_PAUSE_MS, nextTryAt } from '../core/events/schedule.ts';
import { EndpointQueue } from './endpoint-queue.ts';
import type { Endpoint } from './leases.ts';
import type { WebhookOutcome } from './outcomes.ts';
import type { Post, PostAnswer } from './post.ts';

interface Moment {
  /** Unix ms. */
  readonly now: number;
  readonly steady: number;
  /** From 0 to 1. */
  readonly random: number;
}

/** What came of a try. */
type Tried = Exclude<PostAnswer, { readonly kind: 'withdrawn' }>;

interface Judgement {
  readonly fate: Exclude<MessageFate, { readonly kind: 'dropped' }>;
  /** Why nothing more is to be sent to it; undefined if it goes on. */
  readonly disable: DisabledWhy | undefined;
}

export class LeasedEndpoint {
  readonly pending = new EndpointQueue();
  /** Whether the store may have more that is due. */
  more = true;
  filling = false;
  failing: boolean;
  /** Steady time until which the endpoint asked for quiet. */
  quietUntil = 0;
  /** What came back and is not written yet. */
  outcomes: WebhookOutcome[] = [];
  readonly post: Post;
  #endpoint: Endpoint;

  constructor(endpoint: Endpoint, openPost: (url: string) => Post) {
    this.#endpoint = endpoint;
    this.post = openPost(endpoint.url);
    this.failing = endpoint.failingSince !== null;
  }

  get endpoint(): Endpoint {
    return this.#endpoint;
  }

  /** Takes over what people changed about it. At another address it has another fence, and is another one here. */
  renew(endpoint: Endpoint): void {
    this.#endpoint = endpoint;
  }

  /** Reads no more, and leaves what waits to the store. What is under way comes back. */
  leave(): void {
    this.pending.forget();
    this.more = false;
  }

  /** Whether everything came back and is written. */
  get isDone(): boolean {
    return this.pending.underWay === 0 && this.outcomes.length === 0;
  }

  /** What is to become of a message that was answered so, and of the endpoint. */
  judge({ tries }: DueMessage, answer: Tried, { now, steady, random }: Moment): Judgement {
    if (answer.kind === 'answered' && answer.status >= 200 && answer.status < 300) {
      this.failing = false;
      this.#endpoint = { ...this.#endpoint, failingSince: null };
      return { fate: { kind: 'sent' }, disable: undefined };
    }
    this.failing = true;
    const failingSince = this.#endpoint.failingSince ?? now;
    this.#endpoint = { ...this.#endpoint, failingSince };
    const [words, retryAfterMs] =
      answer.kind === 'answered' ? [`HTTP ${answer.status}`, answer.retryAfterMs] : [answer.reason];
    if (retryAfterMs !== undefined) this.quietUntil = steady + Math.min(retryAfterMs, LONGEST_RETRY_PAUSE_MS);
    const isGone = answer.kind === 'answered' && answer.status === 410;
    const isDead = now - failingSince >= DISABLED_AFTER_MS;
    const dueAt = nextTryAt(tries + 1, now, random, retryAfterMs);
    return {
      fate:
        dueAt === undefined ? { kind: 'given-up', answer: words } : { kind: 'later', dueAt, answer: words },
      disable: isGone ? 'gone' : isDead ? 'failing' : undefined,
    };
  }
}
