/**
 * Checks carriers and routes that somebody wants to add, against the configuration in effect, by the rules that `config check`
 * goes by. It opens no file that they name, connects to nobody, and keeps nothing.
 */
import Type from 'typebox';
import { variableOf } from '../config/environment.ts';
import type { ConfigProblem, RuleFinding } from '../config/problem.ts';
import { formatKey, type Path, readOption } from '../config/reader.ts';
import { checkRegistrations } from '../config/rules/registration-rules.ts';
import { checkRoutes, findTaker } from '../config/rules/route-rules.ts';
import { checkRules } from '../config/rules/rules.ts';
import { type Config, createConfigSchema } from '../config/table/schema.ts';
import { type Warning, warnOfEverywhere } from '../config/warnings.ts';
import { isSpoken } from '../core/destination/channel.ts';
import { SIMULATOR } from '../core/sending/carrier.ts';
import { type Route, thensOf } from '../core/sending/routing.ts';
import type { CarrierType } from '../options/carrier-type.ts';
import { type StoodIn, standIn } from './stand-ins.ts';
import { readProposal } from './text.ts';
import type { ProposalProblem, Verdict } from './verdict.ts';
import { warningsOf, withSpeakers } from './warnings.ts';

type Parts = Pick<Config, 'carriers' | 'routes'>;
/** Paths count the routes of the proposal. */
type Found = Omit<ConfigProblem, 'key'> & { readonly path: Path };

/** A longer list is of no use to anybody. */
const MOST_PROBLEMS = 40;

export async function checkProposal(
  text: string,
  inEffect: Config,
  types: readonly CarrierType[],
  privateKey: string,
): Promise<Verdict> {
  const { options, faults, lineOf } = readProposal(text);
  if (options === undefined) {
    return { problems: faults.slice(0, MOST_PROBLEMS), warnings: [], routesBefore: 0, files: [] };
  }
  const { carriers, routes } = createConfigSchema(types).properties;
  const schema = Type.Object({ carriers, routes });
  const stood = standIn(schema, options, [], privateKey);
  const found: Found[] = [];
  const paths = new Map<string, Path>();
  const proposed = readOption(schema, stood.raw, [], {
    report: ({ key, ...problem }) => void found.push({ ...problem, path: paths.get(key) ?? [] }),
    label(path) {
      paths.set(formatKey(path), path);
      return formatKey(path);
    },
    readSecret: (_, key) => stood.contents.get(formatKey(key)),
    // As in loading: the schema is what the type is made from, and nothing uses a part that is not sound.
  }) as Parts;

  const unsound = new Set(found.map(({ path }) => path[0]));
  const isSound = (part: string) => !unsound.has(part);
  const kept = inEffect.given.options.some(({ key }) => key.startsWith('routes')) ? inEffect.routes : [];
  const added = isSound('routes') ? proposed.routes : [];
  const routesBefore = placeOf(added, kept);
  const merged = {
    ...inEffect,
    carriers: { ...inEffect.carriers, ...(isSound('carriers') && proposed.carriers) },
    routes: [...kept.slice(0, routesBefore), ...added, ...kept.slice(routesBefore)],
  };
  const count = { routesBefore, added: added.length };
  found.push(
    ...stood.exposed.map(describeExposed),
    ...findTaken(options.carriers, inEffect),
    ...checkParts({ ...inEffect, carriers: proposed.carriers }, types, isSound, stood),
  );
  const aboutRoutes =
    isSound('carriers') && isSound('routes')
      ? [...checkRoutes(merged, types), ...checkRegistrations(merged, types)]
      : [];

  const problems = [
    ...found.map(({ path, ...problem }) => place(problem, path, lineOf, count)),
    ...aboutRoutes.map(({ key, ...problem }) =>
      place(problem, inProposal(key, count, proposed), lineOf, count, key),
    ),
  ];
  const files = stood.files.map(formatKey);
  if (problems.length > 0)
    return { problems: problems.slice(0, MOST_PROBLEMS), warnings: [], routesBefore, files };
  return { problems, warnings: await findNewWarnings(merged, inEffect, kept, count), routesBefore, files };
}

interface Count {
  readonly routesBefore: number;
  readonly added: number;
}

/** What the rules say about the carriers of the proposal. Those in effect have been looked at. */
function checkParts(
  config: Config,
  types: readonly CarrierType[],
  isSound: (part: string) => boolean,
  { invented }: StoodIn,
): Found[] {
  const parts = ['carriers', 'publicUrl', 'code', 'currency', 'prices'];
  return checkRules(config, types, (part) => parts.includes(part) && isSound(part))
    .filter(({ key }) => !invented.has(formatKey(key)))
    .map(({ key, ...problem }) => ({ ...problem, path: key }));
}

function* findTaken(carriers: unknown, { carriers: known, given }: Config): Generator<Found> {
  for (const name of Object.keys(Object(carriers))) {
    // The simulator is there without being named, and may be named.
    const isNamed =
      name !== SIMULATOR || given.options.some(({ key }) => key.startsWith(`carriers.${SIMULATOR}.`));
    if (!Object.hasOwn(known, name) || !isNamed) continue;
    yield {
      path: ['carriers', name],
      wrong: 'is the name of a carrier that is there already',
      expected: 'a new name',
      fix: 'choose another, or change that carrier where it is',
    };
  }
}

const describeExposed = (path: Path): Found => ({
  path,
  wrong: 'is a secret, written out',
  expected: `${path.at(-1)}File with the path of a file that holds it, or the variable ${variableOf(path)}`,
  fix: 'remove it here; it has been sent to this service, so get a new one where that matters',
});

/** As late as possible: a new route takes from another only what it has to. */
function placeOf(added: readonly Route[], kept: readonly Route[]): number {
  for (let before = kept.length; before >= 0; before--) {
    const all = [...kept.slice(0, before), ...added, ...kept.slice(before)];
    if (all.every((route, index) => findTaker(route, index, all) === -1)) return before;
  }
  return kept.length;
}

/** Where in the proposal an option is whose route is counted with all others; undefined if it is in effect already. */
function inProposal(
  key: RuleFinding['key'],
  { routesBefore, added }: Count,
  { carriers }: Parts,
): Path | undefined {
  const [part, at, ...rest] = key;
  if (part === 'carriers') return Object.hasOwn(carriers, String(at)) ? key : undefined;
  const index = Number(at) - routesBefore;
  return index >= 0 && index < added ? ['routes', index, ...rest] : undefined;
}

function place(
  problem: Omit<ConfigProblem, 'key'>,
  path: Path | undefined,
  lineOf: (path: Path) => number | null,
  { routesBefore }: Count,
  key: Path = shifted(path ?? [], routesBefore),
): ProposalProblem {
  const option = path === undefined || path.length === 0 ? null : path.join('.');
  return { key: formatKey(key), ...problem, option, line: path === undefined ? null : lineOf(path) };
}

function shifted([part, index, ...rest]: Path, by: number): Path {
  if (part === undefined) return [];
  if (part !== 'routes' || typeof index !== 'number')
    return index === undefined ? [part] : [part, index, ...rest];
  return [part, index + by, ...rest];
}

async function findNewWarnings(
  merged: Config,
  inEffect: Config,
  kept: readonly Route[],
  { routesBefore, added }: Count,
): Promise<Warning[]> {
  const moved = (key: string) =>
    key.replace(/^routes\[(\d+)\]/, (_, index: string) => {
      const at = Number(index);
      // Without routes in the file, those in effect are gone as soon as it has some.
      return kept.length === 0 ? 'gone' : `routes[${at < routesBefore ? at : at + added}]`;
    });
  const spoken = new Set(
    merged.routes
      .flatMap((route) => [route, ...thensOf(route)])
      .flatMap(({ channel, carriers: names = [] }) => (isSpoken(channel) ? names : [])),
  );
  const carriers = Object.fromEntries(Object.entries(merged.carriers).filter(([name]) => spoken.has(name)));
  return withSpeakers({ carriers }, async (speakers) => {
    const list = (config: Config) => [...warningsOf(config, speakers), ...warnOfEverywhere(config)];
    const known = new Set(list(inEffect).map(({ key, detail }) => `${moved(key)} ${detail}`));
    return list(merged).filter(({ key, detail }) => !known.has(`${key} ${detail}`));
  });
}
