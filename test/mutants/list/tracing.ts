/** Traces: what they say, what they cost, and that nothing waits for them. */
import type { Mutant } from '../mutant.ts';

const CONTEXT = ['src/tracing/context.test.ts'];
const SAMPLER = ['src/tracing/sampler.test.ts'];
const EXPORTER = ['src/tracing/exporter.test.ts'];
const PARTS = ['src/tracing/parts.test.ts'];
const SERVICE = ['test/tracing/service.test.ts'];
const OPTIONS = ['src/config/tracing.test.ts'];

export const TRACING: readonly Mutant[] = [
  {
    breaks: 'version 00 of a traceparent ends with its flags',
    file: 'src/tracing/context.ts',
    from: "if (version === '00' && rest !== undefined) return undefined;",
    to: '',
    tests: CONTEXT,
  },
  {
    breaks: 'of the flags only the first says that a trace is sampled',
    file: 'src/tracing/context.ts',
    from: '(Number.parseInt(flags, 16) & 1) === 1',
    to: 'Number.parseInt(flags, 16) > 0',
    tests: CONTEXT,
  },
  {
    breaks: 'a tracestate names nobody twice',
    file: 'src/tracing/context.ts',
    from: ' && keys.size === named.length',
    to: '',
    tests: CONTEXT,
  },
  {
    breaks: 'a caller that does not trace is believed',
    file: 'src/tracing/sampler.ts',
    from: 'parent?.sampled ?? root(traceId)',
    to: 'parent?.sampled || root(traceId)',
    tests: SAMPLER,
  },
  {
    breaks: 'a share of traces goes by the random end of their ids',
    file: 'src/tracing/sampler.ts',
    from: 'traceId.slice(-RANDOM_DIGITS)',
    to: 'traceId.slice(0, RANDOM_DIGITS)',
    tests: SAMPLER,
  },
  {
    breaks: 'the queue of spans is bounded',
    file: 'src/tracing/exporter.ts',
    from: 'this.#queue.length >= queueSize || ',
    to: '',
    tests: EXPORTER,
  },
  {
    breaks: 'only what OTLP says is sent again',
    file: 'src/tracing/exporter.ts',
    from: '!AGAIN.has(status)',
    to: 'status < 500',
    tests: EXPORTER,
  },
  {
    breaks: 'the end waits for the collector within a bound',
    file: 'src/tracing/exporter.ts',
    from: 'AbortSignal.any([abortAfter(clock, timeoutMs), this.#ending.signal])',
    to: 'abortAfter(clock, timeoutMs)',
    tests: EXPORTER,
  },
  {
    breaks: 'spans that a collector rejected are counted as lost',
    file: 'src/tracing/exporter.ts',
    from: 'if (answer.rejected > 0) note(',
    to: 'if (answer.rejected < 0) note(',
    tests: EXPORTER,
  },
  {
    breaks: '64-bit integers are text',
    file: 'src/tracing/otlp.ts',
    from: '{ intValue: String(value) }',
    to: '{ intValue: value }',
    tests: ['src/tracing/otlp.test.ts'],
  },
  {
    breaks: 'the kinds of spans have the numbers of the protocol',
    file: 'src/tracing/span.ts',
    from: 'producer: 4, consumer: 5',
    to: 'producer: 5, consumer: 4',
    tests: [...SERVICE, 'src/tracing/otlp.test.ts'],
  },
  {
    breaks: 'a reason of a carrier is made safe before it is exported',
    file: 'src/tracing/carriers.ts',
    from: 'presentReason(outcome.reason)',
    to: 'outcome.reason',
    tests: PARTS,
  },
  {
    breaks: 'what a carrier does is in the context of its attempt',
    file: 'src/tracing/carriers.ts',
    from: 'current.run(span, () => carrier.submit(message, deadline))',
    to: 'carrier.submit(message, deadline)',
    tests: PARTS,
  },
  {
    breaks: 'a receipt before its attempt is linked to it',
    file: 'src/tracing/queue.ts',
    from: 'journey.send ?? journey.request',
    to: 'journey.request',
    tests: PARTS,
  },
  {
    breaks: 'a message that is claimed again is not forgotten by the settlement before',
    file: 'src/tracing/journeys.ts',
    from: 'if (this.#byId.get(id) === journey) ',
    to: '',
    tests: PARTS,
  },
  {
    breaks: 'messages under way that are remembered are bounded',
    file: 'src/tracing/journeys.ts',
    from: 'this.#byId.size >= MOST && ',
    to: 'this.#byId.size < 0 && ',
    tests: PARTS,
  },
  {
    breaks: 'the span of a request without an answer ends',
    file: 'src/tracing/requests.ts',
    from: "'client gone' });\n      span.end(tracer.now());",
    to: "'client gone' });",
    tests: PARTS,
  },
  {
    breaks: 'what a request does is in its context',
    file: 'src/tracing/requests.ts',
    from: '    current.run(span, done);\n',
    to: '    done();\n',
    tests: PARTS,
  },
  {
    breaks: 'a message that another process claims is linked to its request',
    file: 'src/tracing/verifications.ts',
    from: '        links.keep(id, request);\n',
    to: '',
    tests: SERVICE,
  },
  {
    breaks: 'a receipt is linked to the attempt that it is about',
    file: 'src/tracing/carriers.ts',
    from: 'links.keep(nameOfReference(name, outcome.reference), span);',
    to: '{}',
    tests: SERVICE,
  },
  {
    breaks: 'links of traces are kept for three days',
    file: 'src/accounts/sweep.ts',
    from: "key: 'name', time: 'noted_at', until: now - TRACE_MS",
    to: "key: 'name', time: 'noted_at', until: now - 2 * TRACE_MS",
    tests: ['test/store/sqlite.test.ts'],
    named: 'links of traces',
  },
  {
    breaks: 'without an endpoint nothing of tracing is loaded',
    file: 'src/tracing/settings.ts',
    from: 'if (url === undefined || tracing.disabled',
    to: 'if (tracing.disabled',
    tests: [...OPTIONS, 'src/tracing/off.test.ts'],
  },
  {
    breaks: 'the common endpoint has a path of its own for traces',
    file: 'src/tracing/settings.ts',
    from: '`${endpoint.replace',
    to: 'endpoint ?? `${endpoint.replace',
    tests: OPTIONS,
  },
  {
    breaks: 'no header of the collector holds another',
    file: 'src/config/pairs.ts',
    from: 'header: /^[\\t\\x20-\\x7e]*$/',
    to: 'header: /^[^]*$/',
    tests: OPTIONS,
  },
  {
    breaks: 'the headers of the collector are secrets',
    file: 'src/config/table/tracing-options.ts',
    from: 'secret(description, {',
    to: 'text(description, {',
    tests: OPTIONS,
  },
];
