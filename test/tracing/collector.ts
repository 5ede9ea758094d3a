/** A collector that keeps what it is sent, and finds spans in it as OTLP writes them. */
import { eventually } from '../acceptance/client.ts';
import { answer, startGateway } from '../carriers/gateway.ts';

interface Pair {
  readonly key: string;
  readonly value: { readonly stringValue?: string; readonly intValue?: string; readonly boolValue?: boolean };
}

export interface ReceivedSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly traceState?: string;
  readonly flags: number;
  readonly name: string;
  readonly kind: number;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes: readonly Pair[];
  readonly links?: readonly { readonly traceId: string; readonly spanId: string }[];
  readonly status: { readonly code?: number };
}

interface Body {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly Pair[] };
    readonly scopeSpans: readonly { readonly spans: readonly ReceivedSpan[] }[];
  }[];
}

export type Collector = Awaited<ReturnType<typeof openCollector>>;

export async function openCollector() {
  const gateway = await startGateway();
  gateway.play(answer(200, {}));

  const bodies = (): Body[] => gateway.requests.map(({ body }) => JSON.parse(body));
  const spans = (): ReceivedSpan[] =>
    bodies().flatMap(({ resourceSpans }) =>
      resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans)),
    );

  return {
    ...gateway,
    spans,
    /** What is said of the service. */
    resource: () => attributesOf(bodies()[0]?.resourceSpans[0]?.resource.attributes ?? []),
    /** The first span of this name that fits, as soon as it has come. */
    async span(name: string, fits: (span: ReceivedSpan) => boolean = () => true): Promise<ReceivedSpan> {
      const found = await eventually(
        async () => spans().find((span) => span.name === name && fits(span)),
        10_000,
      );
      if (found !== undefined) return found;
      throw new Error(`no span ${name} among ${spans().map((span) => span.name)}`);
    },
    [Symbol.asyncDispose]: () => gateway.close(),
  };
}

export function attributesOf(pairs: readonly Pair[]): Record<string, string | boolean | undefined> {
  return Object.fromEntries(
    pairs.map(({ key, value: { stringValue, intValue, boolValue } }) => [
      key,
      stringValue ?? intValue ?? boolValue,
    ]),
  );
}
