/** The reference of all options, generated from the table. */
import Type, { type TObject, type TSchema } from 'typebox';
import type { CarrierType } from '../../options/carrier-type.ts';
import { listVariables, variableOf } from '../environment.ts';
import { annotationsOf, describeExpected } from '../expectation.ts';
import type { Path } from '../reader.ts';
import { createConfigSchema } from './schema.ts';

const INTRODUCTION = `# Configuration

<!-- Generated from src/config/table/schema.ts by \`countersign config docs\`. Do not edit. -->

Countersign starts without any configuration. Options come from two places; the second takes precedence:

1. a YAML file: the one that \`COUNTERSIGN_CONFIG\` names, or \`countersign.yaml\` in the working directory if it exists. A file that holds
   nothing is refused, because a full disk leaves one: \`{}\` says that it sets no option;
2. environment variables, one for each option that is a value or a list of values. Lists are separated by commas:
   \`COUNTERSIGN_LIMITS_REQUESTS_PER_KEY=1000/1s,50000/1h\`. An empty variable counts as unset.
   \`NAME\` in the name of a variable is the name of a carrier, a language, a provider or a hook, or the id of an account, in capitals, with underscores
   for hyphens; the name itself must be in the file. Tracing has the variables of its standard, \`OTEL_...\`.

\`countersign config check\` reads both and lists everything that is wrong, with the fix; \`countersign config show\` prints
the configuration in effect, without secrets. A misspelt option or variable is refused, never ignored. (Variables that begin with
\`COUNTERSIGN_TEST_\`, and those that Kubernetes sets for a Service called \`countersign\`, are ignored.)

**Secrets** may be in files of their own: append \`File\` to the option (\`passwordFile: /run/secrets/smsc\`) or \`_FILE\` to
the variable (\`COUNTERSIGN_SECRET_FILE\`). One line break at the end of the file is ignored. Secrets are marked *secret* below and never
appear in a log, an error or \`config show\`.

**Live** options take effect without a restart, when the running service reads its configuration again: by
\`countersign config reload\`, or by \`SIGHUP\` (docs/operations.md). They are marked *live* below. If any other changes, the
whole configuration is refused then.

**Durations** are written \`500ms\`, \`90s\`, \`10m\`, \`12h\`, \`30d\`; **rates** \`5/10m\`: at most five in any ten minutes. Relative
paths start at the working directory. The \`countersign.schema.json\` in this project lets editors complete and check the
file: begin it with \`# yaml-language-server: $schema=countersign.schema.json\`.
`;

export function createReference(types: readonly CarrierType[]): string {
  const general: Section = {
    schema: createConfigSchema(types),
    path: [],
    title: 'General',
    settable: true,
    live: false,
  };
  return `${INTRODUCTION}\n${listSections(general).join('\n')}`;
}

/** A group of options with its own table. */
interface Section {
  readonly schema: TObject;
  readonly path: Path;
  readonly title: string;
  readonly description?: string | undefined;
  /** Whether the environment can set it: not inside lists, nor under names that only the file can give. */
  readonly settable: boolean;
  /** Whether all of it takes effect without a restart. */
  readonly live: boolean;
}

/** The section's table of values, then its groups. */
function listSections({ schema, path, title, description, settable, live }: Section): string[] {
  const rows: string[][] = [];
  const inner: string[] = [];
  for (const [name, option] of Object.entries(schema.properties)) {
    const groups = findGroups(option, { path: [...path, name], settable, live });
    if (groups.length === 0)
      rows.push(describeOption(name, option, { path: [...path, name], settable, live }));
    inner.push(...groups.flatMap(listSections));
  }
  const parts = [`## ${title}`, describeSection(description, live, rows.length), asTable(rows)].filter(
    (part) => part !== undefined && part !== '',
  );
  return [`${parts.join('\n\n')}\n`, ...inner];
}

function describeSection(description: string | undefined, live: boolean, rows: number): string | undefined {
  if (!live || rows === 0) return description;
  return [description, 'All of them are *live*.'].filter((part) => part !== undefined).join(' ');
}

type Place = Pick<Section, 'path' | 'settable' | 'live'>;

/** The groups of an option; none if it is a value. */
function findGroups(schema: TSchema, { path, settable, live: isInLive }: Place): Section[] {
  const { description, live: isLive } = annotationsOf(schema);
  const live = isInLive || isLive === true;
  const title = `\`${path.join('.')}\``;
  if (Type.IsObject(schema)) return [{ schema, path, title, description, settable, live }];
  if (Type.IsArray(schema)) {
    return findGroups(schema.items, { path, settable: false, live }).map((group) => ({
      ...group,
      description,
    }));
  }
  if (Type.IsRecord(schema)) {
    const [of = Type.Unknown()] = Object.values(schema.patternProperties);
    const groups = findGroups(of, { path: [...path, 'NAME'], settable, live });
    return groups.map((group, index) => (index === 0 ? { ...group, description } : group));
  }
  if (!Type.IsUnion(schema)) return [];
  const variants = schema.anyOf.filter((variant) => Type.IsObject(variant));
  if (variants.length < 2) {
    return variants.map((variant) => ({ schema: variant, path, title, description, settable, live }));
  }
  return splitVariants(variants, { path, title, settable, live });
}

/** First what all variants share, then each variant's own options. */
function splitVariants(variants: TObject[], place: Omit<Section, 'schema'>): Section[] {
  const [first, ...others] = variants;
  const shared = Object.keys(first?.properties ?? {}).filter(
    (name) => name !== 'type' && others.every(({ properties }) => name in properties),
  );
  const common = { ...place, schema: Type.Object(Type.Pick(first ?? Type.Object({}), shared).properties) };
  const isShared = (variant: TObject, name: string) =>
    shared.includes(name) && variant.properties[name] === first?.properties[name];
  const own = variants.map((variant) => {
    const { type } = variant.properties;
    const name = Type.IsLiteral(type) ? String(type.const) : '';
    const { description } = annotationsOf(type ?? variant);
    const told = shared.filter((name) => isShared(variant, name));
    const schema = Type.Object(Type.Omit(variant, told).properties);
    return { ...place, title: `${place.title}, type \`${name}\``, description, schema };
  });
  return [common, ...own];
}

function describeOption(name: string, schema: TSchema, { path, settable, live: isInLive }: Place): string[] {
  const { description = '', default: fallback, secret, live } = annotationsOf(schema);
  const presence = Type.IsOptional(schema) ? '' : '*required*';
  const hasVariable = settable && listVariables(schema, undefined, path).length > 0;
  return [
    `\`${name}\``,
    fallback === undefined ? presence : code(fallback),
    hasVariable ? `\`${variableOf(path, schema)}\`` : '',
    `${secret === true ? '*secret* ' : ''}${live === true && !isInLive ? '*live* ' : ''}${description}${describeValues(schema)}`,
  ];
}

/** What the option takes, unless it is any text, or clear from its description. */
function describeValues(schema: TSchema): string {
  const expected = describeExpected(schema);
  const plain =
    Type.IsLiteral(schema) || ['text', 'a value', 'a group of options', 'a list'].includes(expected);
  return plain ? '' : ` Takes ${expected}.`;
}

function code(value: unknown): string {
  return `\`${typeof value === 'string' ? value || "''" : JSON.stringify(value)}\``;
}

function asTable(rows: string[][]): string {
  if (rows.length === 0) return '';
  const head = [
    ['Option', 'Default', 'Environment', 'Meaning'],
    ['---', '---', '---', '---'],
  ];
  const lines = [...head, ...rows].map((cells) =>
    cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | '),
  );
  return lines.map((line) => `| ${line} |`).join('\n');
}
