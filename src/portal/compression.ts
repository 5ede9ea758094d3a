/**
 * Answers of the portal's API, compressed for its own pages: lists and figures of a large account are hundreds of kilobytes.
 *
 * The length of a compressed answer tells whether text that somebody chose is in it twice (BREACH). For that they have a signed-in browser
 * ask again and again, from a page of theirs. So only what our own pages read is compressed: a browser says so in a header that no page can
 * set. What is shown once, such as a new key, answers a change, and no change is answered compressed.
 */
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { FastifyRequest, onSendAsyncHookHandler } from 'fastify';
import { acceptedEncodings } from '../http/accepted-encodings.ts';

/** What is smaller fits into one packet as it is. */
const LEAST_BYTES = 1_400;

/** Best first, at levels that cost less than what they save on a slow line. Node's own threads compress, not the event loop. */
const ENCODINGS = [
  ['br', (text: string) => brotli(text, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } })],
  ['gzip', (text: string) => promisify(gzip)(text)],
] as const;
const brotli = promisify(brotliCompress);

const READS = new Set(['GET', 'HEAD']);

const isReadByOurPage = ({ method, headers }: FastifyRequest): boolean =>
  READS.has(method) && headers['sec-fetch-site'] === 'same-origin';

/** Streams are not text: they stay as they are. */
export const compressAnswer: onSendAsyncHookHandler = async (request, reply, payload) => {
  if (reply.statusCode !== 200 || typeof payload !== 'string') return payload;
  if (Buffer.byteLength(payload) < LEAST_BYTES) return payload;
  reply.header('vary', 'accept-encoding, sec-fetch-site');
  const accepted = acceptedEncodings(request.headers['accept-encoding']);
  const form = ENCODINGS.find(([name]) => accepted.has(name));
  if (form === undefined || !isReadByOurPage(request)) return payload;
  const [encoding, compress] = form;
  const small = await compress(payload);
  reply.removeHeader('content-length').header('content-encoding', encoding);
  return small;
};
