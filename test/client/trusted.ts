/** A service, and clients whose `fetch` trusts its certificate. */
import { after } from 'node:test';
import tls from 'node:tls';
import { Countersign, type CountersignOptions } from '../../client/src/index.ts';
import { type Service, type ServiceOptions, startService } from '../service.ts';

export async function openService(
  options: ServiceOptions,
): Promise<{ service: Service; clientOf: (options?: Partial<CountersignOptions>) => Countersign }> {
  const service = await startService(options);
  after(() => service[Symbol.asyncDispose]());
  // Node's fetch has no certificates of its own to be told.
  tls.setDefaultCACertificates([...tls.getCACertificates(), service.ca]);
  const { baseUrl, key: apiKey } = service;
  // A machine that tests share may hold a service up past what it calls overload.
  return { service, clientOf: (more) => new Countersign({ apiKey, baseUrl, maxRetries: 6, ...more }) };
}
