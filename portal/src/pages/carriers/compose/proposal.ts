/** The text to put into the configuration, and the text to check, which is the same without what may hold a secret. */
import type { ConfigurationForms } from '#contract/configuration.ts';
import { BASIC_CHANNELS } from '../../../format/channel.ts';
import { type Fault, makeEntries, type SecretPlace, type SecretsAt, type Typed } from './entry.ts';
import { type Entry, writeEntries, writeItem } from './yaml.ts';

type CarrierForm = ConfigurationForms['carriers'][number];

interface Wish {
  readonly forms: ConfigurationForms;
  /** Undefined for only a route. */
  readonly carrier: CarrierForm | undefined;
  readonly withRoute: boolean;
  readonly typed: Typed;
  readonly secretsAt: SecretsAt;
  /** Whether the configuration names routes: then those of before stay. */
  readonly hasRoutes: boolean;
}

export interface Proposal {
  /** The name of the carrier; undefined for only a route. */
  readonly name: string | undefined;
  readonly carrier: { readonly entries: readonly Entry[]; readonly sent: readonly Entry[] };
  readonly routes: readonly (readonly Entry[])[];
  readonly secrets: readonly SecretPlace[];
}

/** Where the parts go, as comments of one line each. */
export interface Heads {
  readonly carriers: string;
  readonly routes: string;
}

/** As the configuration has it. */
const NAME = /^[a-z][a-z0-9-]{0,31}$/;

export function makeProposal({ forms, carrier: form, withRoute, typed, secretsAt, hasRoutes }: Wish): {
  readonly proposal: Proposal;
  readonly faults: readonly Fault[];
} {
  const name = form === undefined ? undefined : typed.text('name').trim();
  const isNamed = name === undefined || NAME.test(name);
  const naming = isNamed ? [] : [{ field: 'name', detail: 'must be small letters, digits and hyphens' }];
  const placed = { typed, carrier: name ?? '', secretsAt };
  const carrier = makeEntries({ ...placed, fields: form?.fields ?? [], part: 'carrier' });
  const route = makeEntries({ ...placed, fields: withRoute ? forms.route : [], part: 'route' });
  const type = form === undefined ? [] : [{ name: 'type', value: form.type }];
  const faults = [...naming, ...carrier.faults, ...route.faults];
  return {
    proposal: {
      name,
      carrier: { entries: [...type, ...carrier.entries], sent: [...type, ...carrier.sent] },
      routes: withRoute ? [route.entries, ...(hasRoutes ? [] : keepOthers(typed))] : [],
      secrets: carrier.secrets,
    },
    faults,
  };
}

/** The first route that the configuration names takes away those that are there without being named. */
function keepOthers(typed: Typed): Entry[][] {
  const asked = typed.text('route.channel');
  return BASIC_CHANNELS.filter((channel) => channel !== asked).map((channel) => [
    { name: 'channel', value: channel },
    { name: 'carriers', value: ['simulator'] },
  ]);
}

/** What is put into the file. */
export const writeWhole = ({ name, carrier, routes }: Proposal, heads: Heads): string =>
  write(name, carrier.entries, routes, heads);

/** What is checked: the same lines. */
export const writeSent = ({ name, carrier, routes }: Proposal): string =>
  write(name, carrier.sent, routes, { carriers: 'carriers:', routes: 'routes:' });

function write(
  name: string | undefined,
  carrier: readonly Entry[],
  routes: readonly (readonly Entry[])[],
  heads: Heads,
): string {
  const lines = [
    ...(name === undefined ? [] : [heads.carriers, ...writeEntries([{ name, entries: carrier }], 1)]),
    ...(routes.length === 0 ? [] : [heads.routes, ...routes.flatMap((route) => writeItem(route, 1))]),
  ];
  return `${lines.join('\n')}\n`;
}

/** What stands before each part: the line that is missing, or where in the lines that are there it goes. */
export function headsFor(
  { hasCarriers, hasRoutes }: { readonly hasCarriers: boolean; readonly hasRoutes: boolean },
  routesBefore: number,
): Heads {
  const after =
    routesBefore === 0
      ? 'before the first of them'
      : `after the first ${routesBefore} of them, and before the rest`;
  return {
    carriers: hasCarriers ? '# Under the line “carriers:” that is there:' : 'carriers:',
    routes: hasRoutes ? `# Under the line “routes:” that is there, ${after}:` : 'routes:',
  };
}
