import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CARRIER_TYPES } from '../carriers/all-types.ts';
import { settingsOf } from '../tracing/settings.ts';
import { loadConfig } from './fixture.ts';
import { ConfigError, describeProblem } from './problem.ts';
import { displayConfig } from './table/display.ts';

const load = (environment: Record<string, string>) => loadConfig(environment);
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
  assert.equal(settings({ ...COLLECTOR, OTEL_TRACES_EXPORTER: 'none' }), undefined);
  assert.ok(settings({ ...COLLECTOR, OTEL_TRACES_EXPORTER: 'otlp' }));
});

test('traces go below the address of the collector', () => {
  const url = (environment: Record<string, string>) => settings(environment)?.url;
  assert.equal(url(COLLECTOR), 'http://collector:4318/v1/traces');
  const base = 'https://collector/base/';
  assert.equal(url({ OTEL_EXPORTER_OTLP_ENDPOINT: base }), `${base}v1/traces`);
});

test('the names and defaults are those of the standard', () => {
  assert.partialDeepStrictEqual(settings(COLLECTOR), {
    headers: {},
    sampler: 'parentbased_always_on',
    ratio: 1,
    resource: { 'service.name': 'countersign' },
    database: 'sqlite',
  });
  const all = {
    ...COLLECTOR,
    OTEL_EXPORTER_OTLP_HEADERS: ' X-Tenant = a%2Cb , authorization=Basic%20YQ==,',
    OTEL_RESOURCE_ATTRIBUTES: 'service.name=other,team=a%20b',
    OTEL_TRACES_SAMPLER: 'traceidratio',
    OTEL_TRACES_SAMPLER_ARG: '0.25',
    COUNTERSIGN_STORE_URL: 'postgres://u:p@localhost/d',
    COUNTERSIGN_SECRET: 'e81f5c0a97d3264bb0c2f7716d94a53e',
  };
  assert.partialDeepStrictEqual(settings(all), {
    headers: { 'x-tenant': 'a,b', authorization: 'Basic YQ==' },
    sampler: 'traceidratio',
    ratio: 0.25,
    resource: { 'service.name': 'other', team: 'a b' },
    database: 'postgresql',
  });
  assert.equal(settings({ ...all, OTEL_SERVICE_NAME: 'verify' })?.resource['service.name'], 'verify');
});

test('what is wrong is refused, with the variable and what to do', () => {
  const refused: readonly [variable: string, value: string, told: RegExp][] = [
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'collector:4318', /expected an address such as http:\/\/collector:4318/],
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'http://collector:99999', /expected an address/],
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'http://user:password@collector', /expected an address/],
    ['OTEL_TRACES_SAMPLER', 'jaeger_remote', /expected always_on, /],
    ['OTEL_TRACES_SAMPLER_ARG', '1.5', /expected a number from 0 to 1/],
    ['OTEL_TRACES_EXPORTER', 'console', /expected otlp or none/],
    ['OTEL_RESOURCE_ATTRIBUTES', 'team', /expected attributes such as/],
    ['OTEL_RESOURCE_ATTRIBUTES', 'team=%zz', /expected attributes such as/],
  ];
  for (const [variable, value, told] of refused) {
    const [problem = '', ...others] = problems({ [variable]: value });
    assert.match(problem, told);
    assert.ok(problem.startsWith('tracing.') && problem.includes(`(${variable})`), problem);
    assert.deepEqual(others, []);
  }
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
  const others = {
    OTEL_METRICS_EXPORTER: 'none',
    OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'x',
    OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc',
    OTEL_BSP_SCHEDULE_DELAY: '-1',
  };
  assert.deepEqual(problems({ ...COLLECTOR, ...others }), []);
  assert.deepEqual(settings({ ...COLLECTOR, ...others }), settings(COLLECTOR));
  const [problem = ''] = problems({ COUNTERSIGN_TRACING_ENDPOINT: 'http://collector:4318' });
  assert.match(problem, /COUNTERSIGN_TRACING_ENDPOINT: sets no option/);
});
