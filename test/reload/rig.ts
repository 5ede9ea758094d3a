/** A service whose configuration is a file that tests write again. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { askForReload } from '../../src/cli/control-socket.ts';
import type { ReloadOutcome } from '../../src/reload/outcome.ts';
import { eventually } from '../acceptance/client.ts';
import { type Service, startService } from '../service.ts';

export interface Reloadable extends AsyncDisposable {
  readonly service: Service;
  write(config: object | string): Promise<void>;
  /** Writes it, and has the service read it, as `config reload` does. */
  reload(config: object | string): Promise<ReloadOutcome>;
}

/** Keeps carriers that no other route names: one to a country that no test sends to. */
export const spareRoute = (carriers: object) => ({
  channel: 'sms',
  countries: ['JP'],
  carriers: Object.keys(carriers),
});

export async function startReloadable(
  config: object,
  env: Readonly<Record<string, string>> = {},
): Promise<Reloadable> {
  await using stack = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), 'countersign-reload-'));
  stack.defer(() => rm(folder, { recursive: true }));
  const file = join(folder, 'countersign.yaml');
  const write = (next: object | string) =>
    writeFile(file, typeof next === 'string' ? next : JSON.stringify(next));
  await write(config);
  const service = stack.use(await startService({ env: { ...env, COUNTERSIGN_CONFIG: file } }));
  const parts = stack.move();
  return {
    service,
    write,
    async reload(next) {
      await write(next);
      // A service that has just started may be ready a moment before its door is open.
      const outcome = await eventually(() => askForReload(service.dataDir), 10_000);
      if (outcome === undefined) throw new Error('nobody listens');
      return outcome;
    },
    [Symbol.asyncDispose]: () => parts.disposeAsync(),
  };
}
