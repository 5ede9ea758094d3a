/**
 * What a form was filled from: a short hash of it, which comes with what is read and goes back with the change. A change of something
 * that is not as it was read is refused.
 */
import { createHash } from 'node:crypto';
import Type from 'typebox';

export const Version = Type.String({ pattern: '^[\\w-]{16}$', description: 'Of what was read.' });

export const versionOf = (content: unknown): string =>
  createHash('sha256').update(JSON.stringify(content)).digest('base64url').slice(0, 16);
