/** Before a package is made, in JavaScript that old versions of Node read too: one line for whoever has not installed yet. */
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

if (!existsSync(new URL('../node_modules/typescript', import.meta.url))) {
  console.error(`countersign: run \`npm ci\` in ${fileURLToPath(new URL('..', import.meta.url))} first`);
  process.exitCode = 1;
}
