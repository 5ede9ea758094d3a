/** The guides that came with this version: the Markdown files of docs/, and their pictures. */
import { readdir, readFile } from 'node:fs/promises';
import { digest } from './resource.ts';

/** What is compiled for the package stands a folder deeper (dist/) than the sources of a checkout and of the image. */
const ROOT = import.meta.url.endsWith('.ts') ? '../../..' : '../../../..';
export const DOCS_FOLDER = new URL(`${ROOT}/docs/`, import.meta.url);
const GUIDE = /^([a-z\d-]+(?:\/[a-zA-Z\d-]+)?)\.md$/;
const PICTURE = /^portal\/([a-z-]+)\.webp$/;

export interface Guide {
  /** Its file below docs/, without the ending: `alerts`, `recipes/express`. */
  readonly name: string;
  readonly title: string;
  readonly markdown: string;
}

interface Picture {
  readonly address: string;
  readonly width: number;
  readonly height: number;
  readonly read: () => Promise<Buffer>;
}

export interface Library {
  readonly guides: ReadonlyMap<string, Guide>;
  /** By their files below docs/. */
  readonly pictures: ReadonlyMap<string, Picture>;
}

let reading: Promise<Library> | undefined;

/** They are files of the program, so they are read once. */
export function readLibrary(): Promise<Library> {
  reading ??= readAll().catch((error) => {
    reading = undefined;
    throw error;
  });
  return reading;
}

async function readAll(): Promise<Library> {
  const files = (await readdir(DOCS_FOLDER, { recursive: true }))
    .map((file) => file.replaceAll('\\', '/'))
    .sort();
  const guides = files.flatMap((file) => GUIDE.exec(file)?.[1] ?? []).map(readGuide);
  const pictures = files.filter((file) => PICTURE.test(file)).map(readPicture);
  return { guides: new Map(await Promise.all(guides)), pictures: new Map(await Promise.all(pictures)) };
}

async function readGuide(name: string): Promise<[string, Guide]> {
  const markdown = await readFile(new URL(`${name}.md`, DOCS_FOLDER), 'utf8');
  return [name, { name, title: /^# (.+)$/m.exec(markdown)?.[1] ?? name, markdown }];
}

/** Only where it is and how large: few read the page that shows it. */
async function readPicture(file: string): Promise<[string, Picture]> {
  const read = () => readFile(new URL(file, DOCS_FOLDER));
  const content = await read();
  const [, name = ''] = PICTURE.exec(file) ?? [];
  return [file, { address: `/docs/pictures/${name}-${digest(content)}.webp`, ...sizeOf(content), read }];
}

/** From the header of an extended WebP file (RFC 9649, section 2.7). */
function sizeOf(webp: Buffer): { readonly width: number; readonly height: number } {
  return { width: webp.readUIntLE(24, 3) + 1, height: webp.readUIntLE(27, 3) + 1 };
}
