/** Makes the configuration from the file, the environment and the defaults, or lists everything that is wrong with them. */
import { resolve } from 'node:path';
import type { TObject } from 'typebox';
import { SIMULATOR } from '../core/sending/carrier.ts';
import { type CarrierType, typeOf } from '../options/carrier-type.ts';
import { applyEnvironment } from './environment.ts';
import { codeOf } from './file.ts';
import { listGivenOptions, type OptionOrigins } from './option-origins.ts';
import { parsePrices } from './price-file.ts';
import { ConfigError, type ConfigProblem } from './problem.ts';
import { formatKey, isGroup, type Path, type ReaderPorts, readOption } from './reader.ts';
import { SIMULATOR_ROUTES } from './rules/route-rules.ts';
import { checkRules } from './rules/rules.ts';
import { findExposure } from './secret.ts';
import type { ConfigSource } from './source.ts';
import type { FindLookupFault } from './table/lookup-options.ts';
import { type Config, createConfigSchema } from './table/schema.ts';

/** Options that name the file of a secret that seals numbers and codes. */
const SEALING = new Set(['secretFile', 'previousSecretFile']);

/** What the options say; files that they name come on top. */
type Options = Omit<Config, 'priceRows' | 'given' | 'exposed'>;

/**
 * What a source says: the file, with the environment on top. The result is complete and frozen. The types are those that the source
 * names, or more; it may be asked again with more.
 *
 * @throws {ConfigError} that lists every problem and holds no secret's value.
 */
export function makeConfig(
  { environment, folder, path, place, file, problems: unread, ...source }: ConfigSource,
  types: readonly CarrierType[],
  findLookupFault: FindLookupFault,
): Config {
  const problems = [...unread];
  const report = (problem: ConfigProblem) => void problems.push(problem);
  // The environment is written into it.
  const raw = structuredClone(file.options);
  const schema = createConfigSchema(types);
  const applied = applyEnvironment(schema, raw, environment, report);

  const variables = new Map(applied.map(({ path, name }) => [formatKey(path), name]));
  const placeOf = (path: Path): string | undefined => variables.get(formatKey(path)) ?? file.locate(path);
  /** A secret may have been set by its file. */
  const label = (path: Path): string => {
    const key = formatKey(path);
    const place = placeOf(path) ?? placeOf([...path.slice(0, -1), `${path.at(-1)}File`]);
    return place === undefined ? key : `${key} (${place})`;
  };
  const readText = (path: string, key: Path): string | undefined => {
    try {
      return source.readText(path);
    } catch (error) {
      const wrong = `cannot be read (${codeOf(error) ?? 'unknown'})`;
      const fix = 'correct the path or its permissions';
      report({ key: label(key), wrong, expected: 'a readable file', fix });
      return undefined;
    }
  };
  const exposed: Config['exposed'][number][] = [];
  const readSecret = (path: string, key: Path): string | undefined => {
    const text = readText(path, key)?.replace(/\r?\n$/, '');
    const exposure =
      text !== undefined && SEALING.has(formatKey(key)) ? findExposure(resolve(folder, path)) : undefined;
    if (exposure === undefined) return text;
    if (exposure.isMounted) {
      if (exposure.isOurs) exposed.push({ key: formatKey(key), wrong: exposure.problem.wrong });
      return text;
    }
    report({ key: label(key), ...exposure.problem });
    return undefined;
  };

  const findGiven = (): OptionOrigins => {
    const { carriers, routes } = schema.properties;
    const paths = [
      ...listGivenOptions(carriers, raw.carriers, ['carriers']),
      ...listGivenOptions(routes, raw.routes, ['routes']),
    ];
    const options = paths.map((option): OptionOrigins['options'][number] => {
      const key = formatKey(option);
      const variable = variables.get(key);
      if (variable !== undefined) return { key, by: 'variable', place: variable };
      return { key, by: 'file', place: file.locate(option) ?? path };
    });
    const { isThere, hasOptions } = file;
    return { folder, file: place, isThere, hasOptions, options };
  };

  const options = readConfig(schema, raw, { report, label, readSecret });
  const unsound = new Set(problems.map(({ key }) => key.split(/[.[ ]|File/, 1)[0]));
  const { file: priceFile } = unsound.has('prices') || unsound.has('carriers') ? {} : options.prices;
  const priceText = priceFile === undefined ? undefined : readText(priceFile, ['prices', 'file']);
  const priceRows =
    priceFile === undefined || priceText === undefined
      ? []
      : parsePrices(priceText, priceFile, listServed(options.carriers, types), report);
  const config = { ...options, priceRows, given: findGiven(), exposed };
  for (const { key, ...finding } of checkRules(
    config,
    types,
    findLookupFault,
    (part) => !unsound.has(part),
  )) {
    report({ key: label(key), ...finding });
  }
  if (problems.length > 0) throw new ConfigError(problems);
  return freeze(config);
}

/** A carrier called `simulator` always exists. If no routes and carriers are configured, everything goes to it. */
function readConfig(schema: TObject, raw: Record<string, unknown>, source: ReaderPorts): Options {
  const carriers = raw.carriers ?? {};
  const own = isGroup(carriers) ? { [SIMULATOR]: { type: SIMULATOR }, ...carriers } : carriers;
  const hasRoutes = Array.isArray(raw.routes)
    ? raw.routes.length > 0
    : (raw.routes ?? undefined) !== undefined;
  const untouched = !hasRoutes && isGroup(own) && Object.keys(own).length === 1;
  const effective = { ...raw, carriers: own, routes: untouched ? SIMULATOR_ROUTES : raw.routes };
  // The reader has checked each part against the schema that the type is made from. If it found a problem, the value is
  // discarded; until then only the rules whose parts are sound look at it.
  return readOption(schema, effective, [], source) as Options;
}

/** The channels of each carrier. */
function listServed(carriers: Config['carriers'], types: readonly CarrierType[]) {
  return new Map(
    Object.entries(carriers).map(([name, options]) => [name, typeOf(types, options).channelsOf(options)]),
  );
}

function freeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null) {
    Object.values(value).forEach(freeze);
    Object.freeze(value);
  }
  return value;
}
