/** Running the service until it is told to stop. */
import { loadConfig } from '../config/load.ts';
import { serve } from '../main.ts';
import { welcome } from './welcome.ts';

/** Resolves when the service runs. SIGTERM and SIGINT stop it gracefully; the second of them ends the process at once. */
export async function runService(): Promise<void> {
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
}
