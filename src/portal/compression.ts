/**
 * Answers of the portal's API, compressed for its own pages: lists and figures of a large account are hundreds of kilobytes.
 *
 * The length of a compressed answer tells whether text that somebody chose is in it twice (BREACH). For that they have a signed-in browser
 * ask again and again, from a page of theirs. So only what our own pages read is compressed: a browser says so in a header that no page can
 * set. What is shown once, such as a new key, answers a change, and no change is answered compressed.
 */
import type { FastifyRequest, onSendAsyncHookHandler } from 'fastify';
import { encodingFor, isWorthCompressing } from '../http/compression.ts';

const READS = new Set(['GET', 'HEAD']);

const isReadByOurPage = ({ method, headers }: FastifyRequest): boolean =>
  READS.has(method) && headers['sec-fetch-site'] === 'same-origin';

/** Streams are not text: they stay as they are. */
export const compressAnswer: onSendAsyncHookHandler = async (request, reply, payload) => {
  if (reply.statusCode !== 200 || typeof payload !== 'string') return payload;
  if (!isWorthCompressing(payload)) return payload;
  reply.header('vary', 'accept-encoding, sec-fetch-site');
  const encoding = encodingFor(request.headers['accept-encoding']);
  if (encoding === undefined || !isReadByOurPage(request)) return payload;
  const small = await encoding.compress(payload);
  reply.removeHeader('content-length').header('content-encoding', encoding.name);
  return small;
};
