import { isIP } from 'node:net';

/** Whether a host, written as in a URL, is this machine. */
export function isLoopback(hostname: string): boolean {
  return (
    hostname === 'localhost' || hostname === '[::1]' || (isIP(hostname) === 4 && hostname.startsWith('127.'))
  );
}
