/** The messages under way on this node, and the spans that they belong to. */
import type { SpanContext } from './context.ts';

export interface Journey {
  /** Of the request. */
  readonly request: SpanContext;
  /** It leaves in the same turn as the answer to its request, and so within its trace. */
  readonly isFresh: boolean;
  /** The last attempt. */
  send?: SpanContext;
}

/** As many as a node holds messages. Beyond that, the oldest are forgotten. */
const MOST = 10_000;

export class Journeys {
  readonly #byId = new Map<string, Journey>();

  begin(id: string, journey: Journey): void {
    const [oldest] = this.#byId.keys();
    if (this.#byId.size >= MOST && oldest !== undefined) this.#byId.delete(oldest);
    this.#byId.set(id, journey);
  }

  get(id: string): Journey | undefined {
    return this.#byId.get(id);
  }

  /** Unless it has begun again. */
  end(id: string, journey: Journey): void {
    if (this.#byId.get(id) === journey) this.#byId.delete(id);
  }
}
