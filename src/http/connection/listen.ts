import { networkInterfaces } from 'node:os';
import type { FastifyInstance } from 'fastify';

/** Containers often have no IPv6; `::` then means all IPv4 addresses. */
export function hostToListenOn(host: string): string {
  return host === '::' && !hasIpv6() ? '0.0.0.0' : host;
}

/** Returns the port: the one asked for, or a free one for 0. */
export async function listen(server: FastifyInstance, port: number, host: string): Promise<number> {
  await server.listen({ port, host });
  const address = server.server.address();
  return typeof address === 'object' && address !== null ? address.port : port;
}

function hasIpv6(): boolean {
  return Object.values(networkInterfaces()).some((addresses) =>
    addresses?.some(({ family }) => family === 'IPv6'),
  );
}
