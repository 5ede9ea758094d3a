/** Runs the service on a store of its own that has something in it, for a first look. */
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Config } from '../config/table/schema.ts';
import { SYSTEM_CLOCK } from '../core/seams/clock.ts';
import { simulateCarriers } from '../demo/carriers.ts';
import { configureDemo, DEMO_HOST } from '../demo/configuration.ts';
import { fillDemo } from '../demo/fill.ts';
import { portalLink } from '../identity/link.ts';
import { serve } from '../main.ts';
import { keepHeapSmall } from '../runtime/small-heap.ts';
import type { Service } from '../service.ts';
import { CommandFailure } from './failure.ts';
import { describeFrontEnd } from './portal-link.ts';
import { withProgress } from './progress.ts';

export interface DemoOptions {
  readonly port?: string;
}

/** SIGHUP: its terminal is gone. */
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Resolves when the service runs. A signal stops it; whatever ends the process takes the folder away, but for a crash. */
export async function runDemo({ port = '0' }: DemoOptions): Promise<void> {
  const wanted = readPort(port);
  await assertFree(wanted);
  keepHeapSmall();
  const folder = mkdtempSync(join(tmpdir(), 'countersign-demo-'));
  process.on('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }));
  let stop = (): void => process.exit();
  for (const signal of SIGNALS) process.on(signal, () => stop());

  const config = await configureDemo(folder, wanted);
  const { invitation, codes } = await withProgress((report) => {
    report({ step: 'inventing a week of traffic' });
    return fillDemo(config, SYSTEM_CLOCK.wall());
  });
  const service = await serveDemo(config);
  stop = () => {
    // A second signal ends the process at once.
    stop = () => process.exit();
    void service.stop();
  };
  const frontEnd = describeFrontEnd(await service.findFrontEnd());
  if (frontEnd !== undefined) console.error(frontEnd);
  const link = portalLink(`https://${config.host}:${service.port}`, 'invitation', invitation);
  console.log(describeDemo(codes.length, link));
}

/** As `serve` does, but that nothing can be sent. */
export const serveDemo = (config: Config): Promise<Service> =>
  withProgress((report) => serve(config, report, { isDemo: true, carriersOf: simulateCarriers }));

function readPort(text: string): number {
  const port = Number(text);
  if (/^\d+$/.test(text) && port <= 65_535) return port;
  throw new CommandFailure('--port must be a port such as 8443, or 0 for a free one');
}

/** Before a week is invented: it takes a while. */
async function assertFree(port: number): Promise<void> {
  const server = createServer();
  try {
    await once(server.listen(port, DEMO_HOST), 'listening');
  } catch {
    throw new CommandFailure(`port ${port} is in use; name another with --port, or none for a free one`);
  }
  server.close();
  await once(server, 'close');
}

const describeDemo = (codes: number, link: string): string => `
The demo runs, with a week of ${codes} invented codes. Open this link to join it as an owner, under any name; it works once:
   ${link}
Your browser warns of its certificate, which the service made itself; on this machine you may go on.
Nothing is sent to a telephone, and nothing of yours is read or changed. Ctrl+C ends the demo and takes its data away.
`;
