/** What stands at one address, with its entity tag, and compressed once for each encoding. */
import { hash } from 'node:crypto';
import { encodingFor, isWorthCompressing } from '../compression.ts';

const LENGTH_OF_DIGEST = 16;

export const digest = (content: string | Buffer): string =>
  hash('sha256', content, 'hex').slice(0, LENGTH_OF_DIGEST);

interface Answer {
  readonly content: string | Buffer;
  readonly encoding?: string;
}

export class Resource {
  readonly type: string;
  /** Weak: it is the same for each encoding. */
  readonly tag: string;
  readonly #content: string | Buffer;
  readonly #compressed = new Map<string, Promise<Buffer>>();

  constructor(type: string, content: string | Buffer) {
    this.type = type;
    this.tag = `W/"${digest(content)}"`;
    this.#content = content;
  }

  /** In the best encoding that is accepted. Pictures are compressed already. */
  async answer(accepted: string | undefined): Promise<Answer> {
    const content = this.#content;
    if (typeof content !== 'string' || !isWorthCompressing(content)) return { content };
    const encoding = encodingFor(accepted);
    if (encoding === undefined) return { content };
    const compressed = this.#compressed.get(encoding.name) ?? encoding.compress(content);
    this.#compressed.set(encoding.name, compressed);
    return { content: await compressed, encoding: encoding.name };
  }
}
