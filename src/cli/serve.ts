/** Running the service until it is told to stop. */
import { setFlagsFromString } from 'node:v8';
import { loadConfig } from '../config/load.ts';
import { serve } from '../main.ts';
import { describeSetup } from './portal-link.ts';
import { welcome } from './welcome.ts';

/** Resolves when the service runs. SIGTERM and SIGINT stop it gracefully; the second of them ends the process at once. */
export async function runService(): Promise<void> {
  // V8 by default lets garbage pile up to several times what is alive; this service is to stay small beside others.
  setFlagsFromString('--heap-growing-percent=25');
  const config = loadConfig(process.env);
  const service = await serve(config);
  const stop = () => {
    process.removeListener('SIGTERM', stop);
    process.removeListener('SIGINT', stop);
    service.stop().catch((error: unknown) => {
      process.exitCode = 1;
      throw error;
    });
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
  const greeting = await welcome(config, service.port, service.keys);
  if (greeting !== undefined) console.log(greeting);
  const setup = await service.openSetup();
  if (setup !== undefined) console.log(describeSetup(config, service.port, setup));
}
