/** The style sheet and the script, which all pages share. Their addresses change with what is in them. */
import { readFile } from 'node:fs/promises';
import { digest, Resource } from './resource.ts';

const STYLES = ['base', 'frame', 'samples', 'reference', 'guides', 'search'];

export interface Asset {
  readonly address: string;
  readonly resource: Resource;
}

const read = (path: string): Promise<string> => readFile(new URL(`browser/${path}`, import.meta.url), 'utf8');

const assetOf = (name: string, ending: string, type: string, content: string): Asset => ({
  address: `/docs/${name}-${digest(content)}.${ending}`,
  resource: new Resource(`${type}; charset=utf-8`, content),
});

export async function readAssets(): Promise<{ readonly style: Asset; readonly script: Asset }> {
  const [script, ...styles] = await Promise.all([
    read('script.js'),
    ...STYLES.map((name) => read(`style/${name}.css`)),
  ]);
  return {
    style: assetOf('style', 'css', 'text/css', styles.join('\n')),
    script: assetOf('script', 'js', 'text/javascript', script),
  };
}
