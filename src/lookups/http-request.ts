/** The request of an `http` look-up, as its options describe it, and every mistake in them that shows before it is sent. */
import type { GatewayRequest } from '../carriers/gateway/transport.ts';
import { readAuthority } from '../carriers/http/authority.ts';
import { compileBody } from '../carriers/http/body.ts';
import { compileHeaders } from '../carriers/http/headers.ts';
import { compileUrl } from '../carriers/http/url.ts';
import { checkWellFormed } from '../carriers/http/well-formed.ts';
import type { HttpLookupOptions } from '../config/table/lookup-options.ts';
import type { NumberFact } from '../core/lookups/facts.ts';

const PLACEHOLDERS = ['to', 'toDigits', 'hours', 'portedHours', 'since'] as const;
type Values = Readonly<Record<(typeof PLACEHOLDERS)[number], string>>;

const INVENTED: Values = {
  ...{ to: '+12025550123', toDigits: '12025550123' },
  ...{ hours: '1', portedHours: '1', since: '1970-01-01' },
};

export interface HttpLookupRequest {
  readonly origin: URL;
  readonly ca: string | undefined;
  readonly tells: readonly NumberFact[];
  readonly fill: (values: Values) => GatewayRequest;
}

/** @throws Error that begins with the name of the wrong option */
export function compileRequest(options: HttpLookupOptions): HttpLookupRequest {
  const { origin, path } = compileUrl(options.url, PLACEHOLDERS);
  const body = compileBody({ method: options.method, json: options.json }, PLACEHOLDERS);
  const headers = compileHeaders(options, body?.type, PLACEHOLDERS);
  const used = new Set(
    [path, ...headers.values(), ...(body ? [body.template] : [])].flatMap(({ uses }) => uses),
  );
  if (!used.has('to') && !used.has('toDigits'))
    throw new Error(
      `${options.json === undefined ? 'url' : 'json'}: nothing holds {{to}} or {{toDigits}}; add one`,
    );
  const tells = listTold(options);
  if (tells.length === 0)
    throw new Error(
      'type: is http, and nothing is read of the answer; set lineType, swapped, swappedAt, ported, portedAt or recycled',
    );
  const fill = (values: Values): GatewayRequest => ({
    method: options.method,
    path: path.fill(values),
    headers: Object.fromEntries([...headers].map(([name, template]) => [name, template.fill(values)])),
    body: body?.template.fill(values),
  });
  checkWellFormed(fill(INVENTED));
  return { origin, ca: readAuthority(options), tells, fill };
}

function listTold({
  lineType,
  swapped,
  swappedAt,
  ported,
  portedAt,
  recycled,
}: HttpLookupOptions): NumberFact[] {
  const told: NumberFact[] = [];
  if (lineType !== undefined) told.push('lineType');
  if (swapped !== undefined || swappedAt !== undefined) told.push('swapped');
  if (ported !== undefined || portedAt !== undefined) told.push('ported');
  if (recycled !== undefined) told.push('recycled');
  return told;
}
