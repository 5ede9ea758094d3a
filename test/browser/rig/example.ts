/** examples/hono as a separate process, with the packages as an install would put them there. */
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { type App, createAppFolder, startApp } from '../../app.ts';
import { ROOT } from '../../deploy/project.ts';
import type { Service } from '../../service.ts';

const EXAMPLE = join(ROOT, 'examples/hono');

/** Returns its address, and what ends it. */
export async function startExample(service: Service, apiKey: string): Promise<App> {
  const { folder, remove } = createAppFolder(['hono', '@hono/node-server']);
  try {
    cpSync(EXAMPLE, folder, { recursive: true, filter: (path) => !path.includes('node_modules') });
    const env = { COUNTERSIGN_API_KEY: apiKey, COUNTERSIGN_URL: service.baseUrl };
    const { origin, end } = await startApp(folder, 'server.js', service.ca, env);
    return { origin, end: () => end().finally(remove) };
  } catch (error) {
    remove();
    throw error;
  }
}
