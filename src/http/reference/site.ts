/** All that stands below /docs and /problems, by address: each is made when it is first asked for. */
import type { OpenApiDocument } from '../openapi.ts';
import { PROBLEM_NAMES, PROBLEMS_PATH, problemPath } from '../problem.ts';
import { readAssets } from './assets.ts';
import { type Frame, type Page, renderPage } from './frame.ts';
import { renderGuide, renderGuideList } from './guide-pages.ts';
import { readLibrary } from './guides.ts';
import { navigationOf } from './navigation.ts';
import { readReference, renderMissing, renderProblem, renderReference } from './page.ts';
import { GUIDES_PATH, LLMS_PATH, REFERENCE_PATH } from './paths.ts';
import { Resource } from './resource.ts';
import { makeSearchIndex } from './search-index.ts';
import { readLlmsText } from './skill.ts';

export { CONTENT_SECURITY_POLICY } from './frame.ts';

interface Found {
  readonly resource: Resource;
  /** Its address changes with its content. */
  readonly isLasting: boolean;
}

export interface ReferenceSite {
  /** Undefined if nothing stands there. */
  readonly find: (address: string) => Promise<Found> | undefined;
  /** Where that stands which somebody looks for at an address where nothing does. */
  readonly leadOn: (address: string) => string | undefined;
  /** The page for people who found nothing. */
  readonly missing: () => Resource;
}

/** RFC 7763. For programs that read the guides. */
const MARKDOWN = 'text/markdown; charset=utf-8';

type Making = () => Resource | Promise<Resource>;

export async function makeReferenceSite(
  document: OpenApiDocument,
  hasPortal: boolean,
): Promise<ReferenceSite> {
  const [library, { style, script }] = await Promise.all([readLibrary(), readAssets()]);
  const reference = readReference(document);
  const frame: Frame = { navigation: navigationOf(reference, library), style, script, hasPortal };
  const html = (page: () => Page) => () =>
    new Resource('text/html; charset=utf-8', renderPage(page(), frame));
  const lasting = new Map<string, Making>([
    [style.address, () => style.resource],
    [script.address, () => script.resource],
    ...[...library.pictures.values()].map(({ address, read }): [string, Making] => [
      address,
      async () => new Resource('image/webp', await read()),
    ]),
  ]);
  const changing = new Map<string, Making>([
    [REFERENCE_PATH, html(() => renderReference(reference))],
    [GUIDES_PATH, html(() => renderGuideList(library))],
    ...[...library.guides.values()].map((guide): [string, Making] => [
      `${GUIDES_PATH}/${guide.name}`,
      html(() => renderGuide(guide, library)),
    ]),
    ...[...library.guides.values()].map(({ name, markdown }): [string, Making] => [
      `${GUIDES_PATH}/${name}.md`,
      () => new Resource(MARKDOWN, markdown),
    ]),
    [LLMS_PATH, async () => new Resource('text/plain; charset=utf-8', await readLlmsText())],
    ...PROBLEM_NAMES.map((name): [string, Making] => [problemPath(name), html(() => renderProblem(name))]),
    [
      '/docs/search.json',
      () => new Resource('application/json', JSON.stringify(makeSearchIndex(reference, library))),
    ],
  ]);
  const made = new Map<string, Promise<Found>>();
  let missing: Resource | undefined;
  return {
    find(address) {
      const isLasting = lasting.has(address);
      const make = lasting.get(address) ?? changing.get(address);
      if (make === undefined) return undefined;
      const found =
        made.get(address) ?? Promise.resolve(make()).then((resource) => ({ resource, isLasting }));
      made.set(address, found);
      found.catch(() => made.delete(address));
      return found;
    },
    leadOn(address) {
      const plain = address.replace(/(?:\/|\.md)$/, '');
      if (plain === PROBLEMS_PATH) return `${REFERENCE_PATH}#problems`;
      // A folder of guides has one that begins it.
      return [plain, `${plain}/README`].find((page) => changing.has(page));
    },
    missing() {
      missing ??= html(renderMissing)();
      return missing;
    },
  };
}
