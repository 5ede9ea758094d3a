/** A carrier behind any HTTP gateway: the options describe the request and how to read the answer. */
import { readFileSync } from 'node:fs';
import type { Carrier, CarrierPorts } from '../../core/carrier.ts';
import { quieten } from './complaints.ts';
import type { HttpOptions } from './options.ts';
import { createRequestMaker } from './request.ts';
import { createTransport } from './transport.ts';
import { createJudge } from './verdict.ts';

const PROBE_TIMEOUT_MS = 3_000;

/**
 * Opens no connection yet.
 * @throws Error whose text begins with the name of the option that is wrong
 */
export function createHttpCarrier(name: string, options: HttpOptions, ports: CarrierPorts): Carrier {
  const { origin, make } = createRequestMaker(options);
  const judge = createJudge(options);
  const transport = createTransport(origin, {
    method: options.method,
    connections: options.connections,
    ca: readAuthority(options.ca),
  });
  const log = quieten(ports.log);

  return {
    name,
    channels: options.channels,
    concurrency: options.connections,
    start() {},
    async submit(message, { signal }) {
      const exchange = await transport.send(make(message), signal);
      if (exchange.kind === 'failed') return { kind: 'temporary', reason: exchange.reason };
      const { outcome, complaint } = judge(exchange.answer, Date.now());
      if (complaint)
        log(complaint.level, complaint.message, { carrier: name, status: exchange.answer.status });
      return outcome;
    },
    async check() {
      try {
        await transport.probe(PROBE_TIMEOUT_MS);
        return { ok: true, detail: `connected to ${origin.host}` };
      } catch (error) {
        return { ok: false, detail: error instanceof Error ? error.message : 'unknown' };
      }
    },
    async stop() {
      transport.close();
    },
  };
}

function readAuthority(path: string | undefined): string | undefined {
  if (path === undefined) return undefined;
  try {
    return readFileSync(path, 'utf8');
  } catch {
    throw new Error(`ca: ${path} cannot be read`);
  }
}
