import { basic as encodeBasic } from '../gateway/basic.ts';
import type { HttpOptions } from './options.ts';
import { compileTemplate, type Template } from './template.ts';

/** They say how a request is written to its connection; undici refuses requests that have them. */
const OF_CONNECTION = new Set(['content-length', 'expect', 'keep-alive', 'transfer-encoding', 'upgrade']);

/** Templates of all headers by lower-case name: our defaults, overridden by the options. */
export function compileHeaders<Name extends string>(
  options: Pick<HttpOptions, 'basic' | 'bearer' | 'headers'>,
  contentType: string | undefined,
  names: readonly Name[],
): Map<string, Template<Name>> {
  const compiled = new Map<string, Template<Name>>([
    ['accept', fixed('application/json')],
    ['user-agent', fixed('countersign')],
  ]);
  if (contentType) compiled.set('content-type', fixed(contentType));
  const authorization = authorize(options);
  if (authorization) compiled.set('authorization', fixed(authorization));

  for (const [name, value] of Object.entries(options.headers)) {
    const key = name.toLowerCase();
    if (key === 'authorization' && authorization) {
      throw new Error(`headers.${name}: basic or bearer already sets it`);
    }
    if (OF_CONNECTION.has(key))
      throw new Error(`headers.${name}: belongs to the connection, and is not yours to set`);
    const template = compileTemplate(names, `headers.${name}`, value, (text) => text);
    if (template.uses.some((used) => used === 'text'))
      throw new Error(`headers.${name}: a header cannot hold {{text}}`);
    compiled.set(key, template);
  }
  return compiled;
}

function authorize({ basic, bearer }: Pick<HttpOptions, 'basic' | 'bearer'>): string | undefined {
  if (basic && bearer) throw new Error('bearer: is set together with basic; remove one of the two');
  if (basic) return encodeBasic(basic.user, basic.password);
  return bearer === undefined ? undefined : `Bearer ${bearer}`;
}

/** Never a template, because a password may hold braces. */
function fixed(value: string): Template<never> {
  return { uses: [], fill: () => value };
}
