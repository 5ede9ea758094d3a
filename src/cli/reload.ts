/** Has the running service read its configuration again. */
import { resolve } from 'node:path';
import { readConfiguration } from './configuration.ts';
import { askForReload, ServiceGone } from './control-socket.ts';
import { CommandFailure, EXIT_FAILURE } from './failure.ts';

/** What is wrong with the configuration is said before the service is asked; the service checks it again. */
export async function reloadConfig({ json = false }: { readonly json?: boolean }): Promise<void> {
  const { dataDir } = await readConfiguration();
  const outcome = await askForReload(dataDir).catch((error: unknown) => {
    if (!(error instanceof ServiceGone)) throw error;
    throw new CommandFailure(
      `${error.message}; see in its log what became of it. It reads its configuration when it starts again`,
    );
  });
  if (outcome === undefined) {
    throw new CommandFailure(
      `no service listens in ${resolve(dataDir)}; run this with the configuration and the environment of the service, as its user, or send SIGHUP to its process`,
    );
  }
  const { ok, changed, problems } = outcome;
  if (!ok) process.exitCode = EXIT_FAILURE;
  if (json) return console.log(JSON.stringify({ ok, changed, problems }, null, 2));
  if (!ok) {
    console.error(
      ['refused; the service goes on as before:', ...problems.map((line) => `  ${line}`)].join('\n'),
    );
    return;
  }
  console.log(changed.length === 0 ? 'nothing has changed' : `taken: ${changed.join(', ')}`);
}
