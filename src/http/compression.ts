/** Compresses texts for clients that take them so, on Node's own threads and not on the event loop. */
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { acceptedEncodings } from './accepted-encodings.ts';

/** What is smaller fits into one packet as it is. */
const LEAST_BYTES = 1_400;

interface Encoding {
  readonly name: string;
  readonly compress: (text: string) => Promise<Buffer>;
}

const brotli = promisify(brotliCompress);

/** Best first, at levels that cost less than what they save on a slow line. */
const ENCODINGS: readonly Encoding[] = [
  {
    name: 'br',
    compress: (text) => brotli(text, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }),
  },
  { name: 'gzip', compress: promisify<string, Buffer>(gzip) },
];

export const isWorthCompressing = (text: string): boolean => Buffer.byteLength(text) >= LEAST_BYTES;

/** The best that the header `Accept-Encoding` allows, if any. */
export function encodingFor(header: string | undefined): Encoding | undefined {
  const accepted = acceptedEncodings(header);
  return ENCODINGS.find(({ name }) => accepted.has(name));
}
