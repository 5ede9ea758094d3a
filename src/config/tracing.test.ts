import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CARRIER_TYPES } from '../carriers/registry.ts';
import { settingsOf } from '../tracing/settings.ts';
import { loadConfig } from './load.ts';
import { ConfigError, describeProblem } from './problem.ts';
import { displayConfig } from './table/display.ts';

const load = (environment: Record<string, string>) => loadConfig(environment, CARRIER_TYPES);
const settings = (environment: Record<string, string>) => settingsOf(load(environment));
const COLLECTOR = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318' };

/** What is wrong with the environment, in whole sentences. */
function problems(environment: Record<string, string>): string[] {
  try {
    load(environment);
    return [];
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return error.problems.map(describeProblem);
  }
}

test('tracing is off without an address, and when it is turned off', () => {
  assert.equal(settings({}), undefined);
  assert.equal(settings({ OTEL_SERVICE_NAME: 'a', OTEL_EXPORTER_OTLP_ENDPOINT: '' }), undefined);
  assert.equal(settings({ ...COLLECTOR, OTEL_SDK_DISABLED: 'true' }), undefined);
  assert.equal(settings({ ...COLLECTOR, OTEL_TRACES_EXPORTER: 'none' }), undefined);
  assert.ok(settings({ ...COLLECTOR, OTEL_TRACES_EXPORTER: 'otlp', OTEL_SDK_DISABLED: 'false' }));
});

test('traces go below the common address, or to their own as it is', () => {
  const url = (environment: Record<string, string>) => settings(environment)?.url;
  assert.equal(url(COLLECTOR), 'http://collector:4318/v1/traces');
  const base = 'https://collector/base/';
  assert.equal(url({ OTEL_EXPORTER_OTLP_ENDPOINT: base }), `${base}v1/traces`);
  assert.equal(url({ ...COLLECTOR, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: base }), base);
});

test('what is said of traces takes precedence, and the defaults are those of the standard', () => {
  assert.partialDeepStrictEqual(settings(COLLECTOR), {
    headers: {},
    timeoutMs: 10_000,
    sampler: 'parentbased_always_on',
    ratio: 1,
    queueSize: 2_048,
    batchSize: 512,
    delayMs: 5_000,
    resource: { 'service.name': 'countersign' },
    database: 'sqlite',
  });
  const all = {
    ...COLLECTOR,
    OTEL_EXPORTER_OTLP_HEADERS: 'authorization=common',
    OTEL_EXPORTER_OTLP_TRACES_HEADERS: ' X-Tenant = a%2Cb , authorization=Basic%20YQ==,',
    OTEL_EXPORTER_OTLP_TIMEOUT: '1',
    OTEL_EXPORTER_OTLP_TRACES_TIMEOUT: '2',
    OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
    OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: 'http/json',
    OTEL_RESOURCE_ATTRIBUTES: 'service.name=other,team=a%20b',
    OTEL_TRACES_SAMPLER: 'traceidratio',
    OTEL_TRACES_SAMPLER_ARG: '0.25',
    OTEL_BSP_MAX_QUEUE_SIZE: '3',
    OTEL_BSP_MAX_EXPORT_BATCH_SIZE: '2',
    OTEL_BSP_SCHEDULE_DELAY: '4',
    COUNTERSIGN_STORE_URL: 'postgres://u:p@localhost/d',
    COUNTERSIGN_SECRET: 'e81f5c0a97d3264bb0c2f7716d94a53e',
  };
  assert.partialDeepStrictEqual(settings(all), {
    headers: { 'x-tenant': 'a,b', authorization: 'Basic YQ==' },
    timeoutMs: 2,
    sampler: 'traceidratio',
    ratio: 0.25,
    queueSize: 3,
    batchSize: 2,
    delayMs: 4,
    resource: { 'service.name': 'other', team: 'a b' },
    database: 'postgresql',
  });
  assert.equal(settings({ ...all, OTEL_SERVICE_NAME: 'verify' })?.resource['service.name'], 'verify');
});

test('what is wrong is refused, with the variable and what to do', () => {
  const refused: readonly [variable: string, value: string, told: RegExp][] = [
    ['OTEL_EXPORTER_OTLP_PROTOCOL', 'udp', /is "udp"; expected http\/json, http\/protobuf or grpc/],
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'collector:4318', /expected an address such as http:\/\/collector:4318/],
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'http://collector:99999', /expected an address/],
    ['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', 'http://user:password@collector', /expected an address/],
    ['OTEL_EXPORTER_OTLP_TIMEOUT', '10s', /expected a whole number from 1 to 600000/],
    ['OTEL_TRACES_SAMPLER', 'jaeger_remote', /expected always_on, /],
    ['OTEL_TRACES_SAMPLER_ARG', '1.5', /expected a number from 0 to 1/],
    ['OTEL_TRACES_EXPORTER', 'console', /expected otlp or none/],
    ['OTEL_SDK_DISABLED', 'yes', /expected true or false/],
    ['OTEL_BSP_MAX_QUEUE_SIZE', '0', /expected a whole number/],
    ['OTEL_BSP_SCHEDULE_DELAY', '-1', /expected a whole number/],
    ['OTEL_RESOURCE_ATTRIBUTES', 'team', /expected attributes such as/],
    ['OTEL_RESOURCE_ATTRIBUTES', 'team=%zz', /expected attributes such as/],
  ];
  for (const [variable, value, told] of refused) {
    const [problem = '', ...others] = problems({ [variable]: value });
    assert.match(problem, told);
    assert.ok(problem.startsWith('tracing.') && problem.includes(`(${variable})`), problem);
    assert.deepEqual(others, []);
  }
  const queue = problems({ OTEL_BSP_MAX_QUEUE_SIZE: '100' });
  assert.deepEqual(queue, [
    'tracing.batchSize: is 512, more than may wait; expected at most tracing.queueSize, 100; lower it, or raise tracing.queueSize (OTEL_BSP_MAX_QUEUE_SIZE)',
  ]);
});

test('what would have to be sent in another way is refused, and only then', () => {
  const grpc = { OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' };
  const ofTraces = (protocol: string) => ({ OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: protocol });
  const expected =
    'expected http/json, which a collector takes at the same port as http/protobuf (4318); set OTEL_EXPORTER_OTLP_TRACES_PROTOCOL to http/json, and the endpoint to that port';
  assert.deepEqual(problems({ ...COLLECTOR, ...grpc }), [
    `tracing.protocol (OTEL_EXPORTER_OTLP_PROTOCOL): is grpc, which this service does not speak; ${expected}`,
  ]);
  assert.deepEqual(problems({ ...COLLECTOR, ...ofTraces('http/protobuf') }), [
    `tracing.tracesProtocol (OTEL_EXPORTER_OTLP_TRACES_PROTOCOL): is http/protobuf, which this service does not speak; ${expected}`,
  ]);
  const harmless = [
    {},
    { ...COLLECTOR, OTEL_SDK_DISABLED: 'true' },
    { ...COLLECTOR, OTEL_TRACES_EXPORTER: 'none' },
  ];
  for (const environment of [...harmless, { ...COLLECTOR, ...ofTraces('http/json') }])
    assert.deepEqual(problems({ ...environment, ...grpc }), []);
});

test('headers are secrets, and hold no other header', () => {
  for (const value of [
    'authorization',
    'a b=secret-1',
    'a=secret-1%0d%0ab:c',
    '=secret-1',
    'a=secret-1%zz',
  ]) {
    const [problem = ''] = problems({ OTEL_EXPORTER_OTLP_HEADERS: value });
    assert.match(problem, /OTEL_EXPORTER_OTLP_HEADERS\): is not valid \(text of \d+ characters\)/, value);
    assert.doesNotMatch(problem, /secret-1/);
  }
  const config = load({
    ...COLLECTOR,
    OTEL_EXPORTER_OTLP_HEADERS: 'a=secret-1',
    OTEL_RESOURCE_ATTRIBUTES: 'a=%2C',
  });
  const shown = JSON.stringify(displayConfig(config, CARRIER_TYPES));
  assert.doesNotMatch(shown, /secret-1/);
  assert.match(shown, /"resourceAttributes":"a=%2C"/);
});

test('other variables of the standard are for others; ours have no second name', () => {
  assert.deepEqual(problems({ OTEL_METRICS_EXPORTER: 'none', OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: 'x' }), []);
  const [problem = ''] = problems({ COUNTERSIGN_TRACING_ENDPOINT: 'http://collector:4318' });
  assert.match(problem, /COUNTERSIGN_TRACING_ENDPOINT: sets no option/);
});
