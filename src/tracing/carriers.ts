/** A span for each attempt at a carrier. Nothing of it goes to the carrier, which is another company. */
import type { AsyncLocalStorage } from 'node:async_hooks';
import type { Carrier, Outcome, OutgoingMessage } from '../core/sending/carrier.ts';
import { andThen } from '../delivery/maybe-promise.ts';
import { presentReason } from '../delivery/reason.ts';
import type { Journey, Journeys } from './journeys.ts';
import { type Links, nameOfReference } from './links.ts';
import { KIND, type Span, type Tracer } from './span.ts';

interface Parts {
  readonly tracer: Tracer;
  readonly current: AsyncLocalStorage<Span>;
  readonly journeys: Journeys;
  readonly links: Links;
}

/** A carrier, for its gate. */
export function traceCarrier(carrier: Carrier, { tracer, current, journeys, links }: Parts): Carrier {
  const { name, concurrency, link } = carrier;

  function begin(message: OutgoingMessage, { request, isFresh }: Journey): Span {
    const attributes = {
      'messaging.system': 'countersign',
      'messaging.destination.name': name,
      'messaging.operation.name': 'send',
      'messaging.operation.type': 'send',
      'countersign.verification.id': message.id,
      'countersign.channel': message.channel,
      'countersign.country': message.destination.country,
      'countersign.test': message.test,
    };
    const beginning = { name: `send ${name}`, kind: KIND.producer, attributes };
    return isFresh ? tracer.child(beginning, request) : tracer.follow(beginning, request);
  }

  function conclude(span: Span, outcome: Outcome): Outcome {
    span.set({ 'countersign.outcome': outcome.kind });
    if ('reason' in outcome) {
      span.set({ 'countersign.reason': presentReason(outcome.reason) });
      span.fail(outcome.kind);
    }
    if (outcome.kind === 'accepted' && outcome.reference !== undefined)
      links.keep(nameOfReference(name, outcome.reference), span);
    span.end(tracer.now());
    return outcome;
  }

  return {
    name,
    concurrency,
    ...(link !== undefined && { link }),
    start: () => carrier.start(),
    check: () => carrier.check(),
    stop: () => carrier.stop(),
    ...(carrier.silent && { silent: carrier.silent }),
    ...(carrier.revoke && { revoke: (...asked) => carrier.revoke?.(...asked) }),
    submit(message, deadline) {
      const journey = journeys.get(message.id);
      if (journey === undefined) return carrier.submit(message, deadline);
      const span = begin(message, journey);
      journey.send = span;
      const failed = (error: unknown): never => {
        span.fail(error instanceof Error ? error.name : 'unknown');
        span.end(tracer.now());
        throw error;
      };
      try {
        const answer = current.run(span, () => carrier.submit(message, deadline));
        return andThen(answer, (outcome) => conclude(span, outcome), failed);
      } catch (error) {
        return failed(error);
      }
    },
  };
}
