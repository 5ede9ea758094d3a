import { address } from './fields.ts';

/**
 * Plain HTTP would show the credentials and the code to anyone on the network path. A stand-in on this machine may do
 * without TLS.
 */
const ORIGIN = '(https://[A-Za-z0-9.-]+(:[0-9]{1,5})?|http://(127\\.0\\.0\\.1|localhost)(:[0-9]{1,5})?)';

/** The address of an API as such. */
export function apiUrl(description: string, fallback?: string) {
  return address(description, {
    pattern: `^${ORIGIN}$`,
    expected: 'an https address without a path such as https://api.example.com',
    ...(fallback !== undefined && { default: fallback }),
  });
}

/** The address of something within an API. */
export function apiPathUrl(description: string) {
  return address(description, {
    pattern: `^${ORIGIN}(/[A-Za-z0-9._~/-]*)?$`,
    expected: 'an https address such as https://api.example.com/path',
  });
}
