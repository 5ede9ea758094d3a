/** What the service hands to tracing, and what it gets: its own parts, with spans around what they do. */
import type { FastifyInstance } from 'fastify';
import type { Clock } from '../core/seams/clock.ts';
import type { Random } from '../core/seams/random.ts';
import type { Carrier, Log } from '../core/sending/carrier.ts';
import type { DeliveryQueue } from '../core/sending/delivery.ts';
import type { Records } from '../core/sql/records.ts';
import type { VerificationStore } from '../core/verification/verification.ts';

export interface TracingParts {
  readonly clock: Clock;
  readonly random: Random;
  readonly records: Records;
  /** Counts spans by what became of them. */
  readonly count: (result: 'exported' | 'dropped', spans: number) => void;
  readonly log: Log;
}

export interface Tracing extends AsyncDisposable {
  readonly carriers: (carriers: readonly Carrier[]) => readonly Carrier[];
  readonly verifications: (store: VerificationStore) => VerificationStore;
  readonly queue: (queue: DeliveryQueue) => DeliveryQueue;
  /** Absent if nothing is traced. */
  readonly requests?: ((app: FastifyInstance) => void) | undefined;
}

/** Tracing before the parts that it needs are there. */
export interface TracingDraft {
  /** What belongs into each log line; absent if nothing is traced. */
  readonly logFields?: (() => object) | undefined;
  open(parts: TracingParts): Tracing;
}
