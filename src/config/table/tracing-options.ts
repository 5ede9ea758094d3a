/** Options of tracing. Their variables have the names that OpenTelemetry gives them, instead of ours. */
import Type from 'typebox';
import { address, group, secret, text } from '../../options/fields.ts';
import { parseOtelList } from '../otel-list.ts';

const SAMPLERS = [
  ...(['always_on', 'always_off', 'traceidratio'] as const),
  ...(['parentbased_always_on', 'parentbased_always_off', 'parentbased_traceidratio'] as const),
] as const;

function collector(variable: string, description: string, expected: string) {
  const pattern = '^https?://[^\\s@?#]+$';
  return Type.Optional(address(description, { variable, pattern, expected }));
}

const HEADERS = 'headers such as name=value,other=value, percent-encoded';

function headers(variable: string, description: string) {
  return Type.Optional(
    Type.Codec(secret(description, { variable, expected: HEADERS }))
      .Decode((text): Readonly<Record<string, string>> => parseOtelList(text, 'header'))
      .Encode(() => ''),
  );
}

export const tracingOptions = group(
  'Traces for OpenTelemetry, sent by OTLP. Off without an endpoint. The variables are the standard ones; other variables of OpenTelemetry are ignored. See docs/tracing.md.',
  {
    exporter: Type.Enum(['otlp', 'none'], {
      variable: 'OTEL_TRACES_EXPORTER',
      default: 'otlp',
      description: 'Where traces go. `none` turns tracing off.',
    }),
    endpoint: collector(
      'OTEL_EXPORTER_OTLP_ENDPOINT',
      'Address of the collector. Traces go to `/v1/traces` below it.',
      'an address such as http://collector:4318',
    ),
    headers: headers(
      'OTEL_EXPORTER_OTLP_HEADERS',
      'Headers for the collector, such as its credentials: `name=value,other=value`.',
    ),
    serviceName: Type.Optional(
      text(
        'Name of this service in traces. By default `service.name` of the attributes, or else `countersign`.',
        {
          variable: 'OTEL_SERVICE_NAME',
          minLength: 1,
          maxLength: 255,
        },
      ),
    ),
    resourceAttributes: Type.Optional(
      Type.Codec(
        text('What else is known of this service: `name=value,other=value`, percent-encoded.', {
          variable: 'OTEL_RESOURCE_ATTRIBUTES',
          expected:
            'attributes such as deployment.environment.name=production,team=identity, percent-encoded',
        }),
      )
        .Decode((text): Readonly<Record<string, string>> => parseOtelList(text, 'attribute'))
        .Encode((pairs) =>
          Object.entries(pairs)
            .map((pair) => pair.map(encodeURIComponent).join('='))
            .join(','),
        ),
    ),
    sampler: Type.Enum([...SAMPLERS], {
      variable: 'OTEL_TRACES_SAMPLER',
      default: 'parentbased_always_on',
      description:
        'Which requests are traced: all, none, or a share of them (`traceidratio`). With `parentbased_`, a request that comes with a `traceparent` is traced if its caller is.',
    }),
    samplerArg: Type.Number({
      variable: 'OTEL_TRACES_SAMPLER_ARG',
      minimum: 0,
      maximum: 1,
      default: 1,
      description: 'The share of `traceidratio` and `parentbased_traceidratio`.',
    }),
  },
);
