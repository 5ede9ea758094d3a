import { compileTemplate, type Template } from './template.ts';

/**
 * The host is fixed: with a placeholder there, a message could choose where our credentials go.
 * @throws Error that names the option
 */
export function compileUrl<Name extends string>(
  url: string,
  names: readonly Name[],
): { readonly origin: URL; readonly path: Template<Name> } {
  const [, base = '', rest = ''] = /^(https?:\/\/[^/?#\\]+)(.*)$/is.exec(url) ?? [];
  if (base.includes('{{'))
    throw new Error('url: has a placeholder in the host; move it into the path or the query');
  if (base.includes('@')) throw new Error('url: holds credentials; move them to basic');
  if (!URL.canParse(base)) throw new Error('url: not an http or https address');
  if (rest.includes('#')) throw new Error('url: a fragment is never sent');
  // Filled in as text: the URL parser would read a value of `..` as the parent folder.
  return {
    origin: new URL(base),
    path: compileTemplate(names, 'url', rest.startsWith('/') ? rest : `/${rest}`, encodeURIComponent),
  };
}
