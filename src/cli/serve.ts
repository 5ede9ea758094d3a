/** Runs the service until it is told to stop. */
import { setImmediate } from 'node:timers/promises';
import type { Config } from '../config/table/schema.ts';
import { StoreDamaged, StoreFailure } from '../core/errors/store-failure.ts';
import { serve, type TestPace } from '../main.ts';
import { holdSignals } from '../runtime/signals.ts';
import { keepHeapSmall } from '../runtime/small-heap.ts';
import type { Service } from '../service.ts';
import { readConfiguration } from './configuration.ts';
import { openControlSocket } from './control-socket.ts';
import { describeFailure } from './failure.ts';
import { describeAddresses, describeFrontEnd, describeSetup } from './portal-link.ts';
import { withProgress } from './progress.ts';
import { announceStore } from './store/command-store.ts';
import { welcome } from './welcome.ts';

/**
 * Resolves when the service runs. SIGTERM and SIGINT stop it gracefully; a second signal ends the process at once. SIGHUP has it
 * read its configuration again, unless a terminal sends it, which is then gone. Whatever comes during the start is not lost.
 */
export async function runService(pace?: TestPace): Promise<void> {
  const signals = holdSignals();
  keepHeapSmall();
  const config = await readConfiguration();
  // Signals that came while this thread was busy are heard now, before anything is opened.
  await setImmediate();
  const onWork = () => signals.beginWork();
  const service = await withProgress((report) => serve(config, report, { pace, onWork }));
  announceStore(config);
  // Not waited for: a signal may come at once, and must find the service ready to stop.
  const controlSocket = openControlSocket(config.dataDir, {
    reload: () => service.reload(readConfiguration, 'command'),
    address: { host: config.host, port: service.port, secure: config.trustProxy.length === 0 },
    onFault: (error) =>
      console.error(
        `countersign: \`config reload\` will not reach this service, but SIGHUP does: ${JSON.stringify(error)}`,
      ),
  });
  let isStopping = false;
  const stop = () => {
    isStopping = true;
    Promise.all([controlSocket.then((opened) => opened[Symbol.asyncDispose]()), service.stop()]).catch(
      (error: unknown) => {
        process.exitCode = 1;
        throw error;
      },
    );
  };
  signals.act({ stop, reload: () => void service.reload(readConfiguration, 'signal') });
  try {
    await greet(config, service);
  } catch (error) {
    // Told to stop in the meantime: nobody needs the greeting.
    if (isStopping) return;
    // The service can run while the store is unavailable for a moment. A damaged store cannot say which keys exist, so
    // continuing would only look like a successful start.
    if (error instanceof StoreFailure && !(error instanceof StoreDamaged)) {
      for (const line of describeFailure(error)) console.error(`countersign: no greeting: ${line}`);
      return;
    }
    stop();
    throw error;
  }
}

async function greet(config: Config, service: Service): Promise<void> {
  const greeting = await welcome(config, service.port, service.keys);
  // On standard error, like the store's name: standard output is the log, and stays JSON once keys and owner are there.
  console.error(describeAddresses(config, service.port));
  if (greeting !== undefined) console.log(greeting);
  const frontEnd = await service.findFrontEnd();
  const fault = describeFrontEnd(frontEnd);
  if (fault !== undefined) console.error(fault);
  // The link leads to a page that is missing.
  const setup = frontEnd === 'missing' ? undefined : await service.openSetup();
  if (setup !== undefined) console.log(describeSetup(config, service.port, setup));
}
