/**
 * Values in place of secrets: a proposal says where its secrets will be, and nobody reads them before. What is found about
 * such a value is found about nothing, and is not told.
 */
import { generateKeyPair } from 'node:crypto';
import { promisify } from 'node:util';
import Type, { type TSchema } from 'typebox';
import { annotationsOf } from '../config/expectation.ts';
import { fits } from '../config/leaf.ts';
import { findVariant, formatKey, isGroup, type Path, type RawGroup } from '../config/reader.ts';

const KEY_BITS = 2_048;
/** Nobody is there (RFC 6761). With placeholders, because what a request must hold may be in its address. */
const ADDRESS = 'https://secret.invalid/?to={{to}}&text={{text}}';

/** A private key that opens nothing; made on a thread of its own. */
export async function makeKey(): Promise<string> {
  const { privateKey } = await promisify(generateKeyPair)('rsa', {
    modulusLength: KEY_BITS,
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  });
  return privateKey;
}

export interface StoodIn {
  /** The options as they were proposed, with what is needed in place of secrets, and without files that are read at the start. */
  readonly raw: RawGroup;
  /** What stands for the content of a secret's file, by the key of the option that names the file. */
  readonly contents: ReadonlyMap<string, string>;
  /** Where a value stands that nobody wrote. */
  readonly invented: ReadonlySet<string>;
  /** Secrets that were written out. */
  readonly exposed: readonly Path[];
  /** Files that the carrier would read: what is in them is not looked at. */
  readonly files: readonly Path[];
}

/** Replaces secrets in the options that a schema describes. `privateKey` stands for keys. */
export function standIn(schema: TSchema, raw: RawGroup, path: Path, privateKey: string): StoodIn {
  const contents = new Map<string, string>();
  const invented = new Set<string>();
  const exposed: Path[] = [];
  const files: Path[] = [];

  function valueFor(secret: TSchema): string {
    const { minLength = 1 } = annotationsOf(secret);
    const fitting = ['x'.repeat(minLength), privateKey, ADDRESS].find((value) => fits(secret, value));
    return fitting ?? 'x';
  }

  function replaceSecret(group: RawGroup, name: string, secret: TSchema, at: Path): void {
    const key = formatKey([...at, name]);
    const inFile = group[`${name}File`] ?? undefined;
    const written = group[name] ?? undefined;
    if (written !== undefined) {
      // An address may be known; a password may not.
      if (!isAddress(secret)) exposed.push([...at, name]);
    } else if (inFile !== undefined) {
      contents.set(formatKey([...at, `${name}File`]), valueFor(secret));
      invented.add(key);
    } else if (!Type.IsOptional(secret)) {
      group[name] = valueFor(secret);
      invented.add(key);
    }
  }

  function walk(of: TSchema, value: unknown, at: Path): unknown {
    if (Type.IsUnion(of)) {
      const variant = findVariant(of, value);
      return variant === undefined ? value : walk(variant, value, at);
    }
    if (!isGroup(value)) return value;
    const group = { ...value };
    if (Type.IsRecord(of)) {
      const [each] = Object.values(of.patternProperties);
      if (each === undefined || annotationsOf(of).secret === true) return group;
      for (const [name, item] of Object.entries(group)) group[name] = walk(each, item, [...at, name]);
      return group;
    }
    if (!Type.IsObject(of)) return group;
    for (const [name, option] of Object.entries(of.properties)) {
      const notes = annotationsOf(option);
      if (notes.secret === true && Type.IsString(option)) replaceSecret(group, name, option, at);
      else if (notes.file !== undefined && typeof group[name] === 'string' && group[name] !== '') {
        files.push([...at, name]);
        // A check would open it.
        if (notes.file === 'at-start') delete group[name];
      } else if (Object.hasOwn(group, name)) group[name] = walk(option, group[name], [...at, name]);
    }
    return group;
  }

  const replaced = walk(schema, raw, path);
  return { raw: isGroup(replaced) ? replaced : {}, contents, invented, exposed, files };
}

/** Whether a secret is the address of a gateway: many hold no secret, so people may write it where it is needed. */
export function isAddress(secret: TSchema): boolean {
  return annotationsOf(secret).pattern?.startsWith('^https?://') === true;
}
