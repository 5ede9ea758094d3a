/** The web component as pages load it, in one file, so that a page waits for one request: `npx node release/bundle.ts FOLDER`. */
import { join } from 'node:path';
import { rolldown } from 'rolldown';

const [, , folder = 'dist'] = process.argv;
const input = join(import.meta.dirname, '../component/src/define.ts');
const bundle = await rolldown({ input, platform: 'browser', transform: { target: 'es2022' } });
await bundle.write({ dir: folder, format: 'esm', minify: true });
await bundle.close();
