/** Spans of the commits that a request waits for. */
import type { AsyncLocalStorage } from 'node:async_hooks';
import type { VerificationStore } from '../core/verification/verification.ts';
import type { Journeys } from './journeys.ts';
import type { Links } from './links.ts';
import { type Attributes, KIND, type Span, type Tracer } from './span.ts';

interface Parts {
  readonly tracer: Tracer;
  readonly current: AsyncLocalStorage<Span>;
  readonly journeys: Journeys;
  readonly links: Links;
  readonly database: 'sqlite' | 'postgresql';
}

export function traceVerifications(store: VerificationStore, parts: Parts): VerificationStore {
  const { tracer, current, journeys, links, database } = parts;
  // The embedded store is a part of this process.
  const kind = database === 'sqlite' ? KIND.internal : KIND.client;

  async function commit<T extends { readonly kind: string }>(
    request: Span,
    operation: string,
    facts: Attributes,
    work: () => Promise<T>,
  ): Promise<T> {
    request.set(facts);
    const attributes = { 'db.system.name': database, 'db.operation.name': operation, ...facts };
    const span = tracer.child({ name: 'store commit', kind, attributes }, request);
    try {
      const outcome = await work();
      span.set({ 'countersign.outcome': outcome.kind });
      return outcome;
    } catch (error) {
      span.fail(error instanceof Error ? error.name : 'unknown');
      throw error;
    } finally {
      span.end(tracer.now());
    }
  }

  return {
    findReplay: (request) => store.findReplay(request),
    admit: (...asked) => store.admit(...asked),

    async issue(verification) {
      const request = current.getStore();
      if (request === undefined) return store.issue(verification);
      const { id, channel, country, test } = verification;
      const facts = {
        'countersign.verification.id': id,
        'countersign.channel': channel,
        'countersign.country': country,
        'countersign.test': test,
      };
      const outcome = await commit(request, 'issue', facts, () => store.issue(verification));
      if (outcome.kind === 'issued' && request.sampled) {
        journeys.begin(id, { request, isFresh: true });
        links.keep(id, request);
      }
      return outcome;
    },

    confirm(guess) {
      const request = current.getStore();
      if (request === undefined) return store.confirm(guess);
      const facts = { 'countersign.verification.id': guess.id };
      return commit(request, 'confirm', facts, () => store.confirm(guess));
    },
  };
}
