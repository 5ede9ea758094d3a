/** Spans: what was done, from when until when, and what it belongs to. */
import type { Clock } from '../core/seams/clock.ts';
import type { Random } from '../core/seams/random.ts';
import type { SpanContext } from './context.ts';
import type { Sample } from './sampler.ts';

/** Numbers of the protocol. */
export const KIND = { internal: 1, server: 2, client: 3, producer: 4, consumer: 5 } as const;

export type Kind = (typeof KIND)[keyof typeof KIND];

/** Few and bounded. Never a number, a code, a key or a text. Undefined ones are left out. */
export type Attributes = Readonly<Record<string, string | number | boolean | undefined>>;

export interface Beginning {
  readonly name: string;
  readonly kind: Kind;
  readonly attributes: Attributes;
  /** Unix ms; now if absent. */
  readonly startedAt?: number;
}

interface Place extends SpanContext {
  readonly parentId?: string | undefined;
  /** The parent is in another process. */
  readonly isContinued?: boolean;
  /** What it follows from, if that is in another trace. */
  readonly link?: SpanContext | undefined;
}

export class Span implements SpanContext {
  readonly name: string;
  readonly kind: Kind;
  readonly place: Place;
  readonly startedAt: number;
  endedAt = 0;
  attributes: Attributes;
  isError = false;
  readonly #ended: (span: Span) => void;

  constructor(
    { name, kind, attributes, startedAt }: Required<Beginning>,
    place: Place,
    ended: (span: Span) => void,
  ) {
    this.name = name;
    this.kind = kind;
    this.attributes = attributes;
    this.startedAt = startedAt;
    this.place = place;
    this.#ended = ended;
  }

  get traceId(): string {
    return this.place.traceId;
  }

  get spanId(): string {
    return this.place.spanId;
  }

  get sampled(): boolean {
    return this.place.sampled;
  }

  get state(): string | undefined {
    return this.place.state;
  }

  set(attributes: Attributes): void {
    if (this.sampled) this.attributes = { ...this.attributes, ...attributes };
  }

  /** It failed; `type` is one of few words. */
  fail(type: string): void {
    this.isError = true;
    this.set({ 'error.type': type });
  }

  /** Call it once. `at` is Unix ms. */
  end(at: number): void {
    this.endedAt = Math.max(at, this.startedAt);
    if (this.sampled) this.#ended(this);
  }
}

export class Tracer {
  readonly #sample: Sample;
  readonly #ended: (span: Span) => void;
  readonly #random: Random;
  readonly now: () => number;

  constructor(
    { clock, random }: { readonly clock: Clock; readonly random: Random },
    sample: Sample,
    ended: (span: Span) => void,
  ) {
    this.#random = random;
    this.now = createTime(clock);
    this.#sample = sample;
    this.#ended = ended;
  }

  /** A request's span. It continues the caller's trace, if there is one. */
  serve(beginning: Beginning, caller: SpanContext | undefined): Span {
    const traceId = caller?.traceId ?? this.#id(16);
    const parent = caller && { parentId: caller.spanId, isContinued: true, state: caller.state };
    return this.#start(beginning, {
      traceId,
      spanId: this.#id(8),
      sampled: this.#sample(traceId, caller),
      ...parent,
    });
  }

  /** A span within another of this process. */
  child(beginning: Beginning, { traceId, spanId, sampled, state }: SpanContext): Span {
    return this.#start(beginning, { traceId, parentId: spanId, sampled, state, spanId: this.#id(8) });
  }

  /** A span that follows from another, later or elsewhere, in a trace of its own. It is traced if the other is. */
  follow(beginning: Beginning, link: SpanContext): Span {
    return this.#start(beginning, {
      traceId: this.#id(16),
      spanId: this.#id(8),
      sampled: link.sampled,
      link,
    });
  }

  #start(beginning: Beginning, place: Place): Span {
    return new Span({ startedAt: this.now(), ...beginning }, place, this.#ended);
  }

  #id(bytes: number): string {
    return this.#random.bytes(bytes).toString('hex');
  }
}

/** How far the two clocks of a machine may part before the precise one is set again, in ms. */
const MOST_DRIFT_MS = 20;

/** Unix ms with fractions: most spans are shorter than one. */
function createTime(clock: Clock): () => number {
  let offset = clock.wall() - clock.steady();
  return () => {
    const wall = clock.wall();
    const elapsed = clock.steady();
    if (Math.abs(offset + elapsed - wall) > MOST_DRIFT_MS) offset = wall - elapsed;
    return offset + elapsed;
  };
}
