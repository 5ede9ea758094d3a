/** The text to put into the configuration. */
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
  /** Whether the configuration names routes: then the existing ones stay. */
  readonly hasRoutes: boolean;
  /** Whether the configuration names a carrier. */
  readonly isTaken: (name: string) => boolean;
}

export interface Proposal {
  /** The name of the carrier; undefined for only a route. */
  readonly name: string | undefined;
  readonly carrier: readonly Entry[];
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

export function makeProposal(wish: Wish): {
  readonly proposal: Proposal;
  readonly faults: readonly Fault[];
} {
  const { forms, carrier: form, withRoute, typed, secretsAt, hasRoutes } = wish;
  const name = form === undefined ? undefined : typed.text('name').trim();
  const placed = { typed, carrier: name ?? '', secretsAt };
  const carrier = makeEntries({ ...placed, fields: form?.fields ?? [], part: 'carrier' });
  const route = makeEntries({ ...placed, fields: withRoute ? forms.route : [], part: 'route' });
  const type = form === undefined ? [] : [{ name: 'type', value: form.type }];
  const faults = [...faultsOfName(name, wish), ...carrier.faults, ...route.faults];
  return {
    proposal: {
      name,
      carrier: [...type, ...carrier.entries],
      routes: withRoute ? [route.entries, ...(hasRoutes ? [] : keepOthers(typed))] : [],
      secrets: carrier.secrets,
    },
    faults,
  };
}

function faultsOfName(name: string | undefined, { isTaken }: Wish): Fault[] {
  if (name === undefined) return [];
  if (!NAME.test(name)) return [{ field: 'name', detail: 'must be small letters, digits and hyphens' }];
  return isTaken(name) ? [{ field: 'name', detail: 'is the name of a carrier that is there already' }] : [];
}

/** The first route that the configuration names takes away those that are there without being named. */
function keepOthers(typed: Typed): Entry[][] {
  const asked = typed.text('route.channel');
  return BASIC_CHANNELS.filter((channel) => channel !== asked).map((channel) => [
    { name: 'channel', value: channel },
    { name: 'carriers', value: ['simulator'] },
  ]);
}

export function writeLines({ name, carrier, routes }: Proposal, heads: Heads): string {
  const lines = [
    ...(name === undefined ? [] : [heads.carriers, ...writeEntries([{ name, entries: carrier }], 1)]),
    ...(routes.length === 0 ? [] : [heads.routes, ...routes.flatMap((route) => writeItem(route, 1))]),
  ];
  return `${lines.join('\n')}\n`;
}

/** What stands before each part: the line that is missing, or where in the lines that are there it goes. */
export function headsFor({
  hasCarriers,
  hasRoutes,
}: {
  readonly hasCarriers: boolean;
  readonly hasRoutes: boolean;
}): Heads {
  return {
    carriers: hasCarriers ? '# Under the line “carriers:” that is there:' : 'carriers:',
    routes: hasRoutes
      ? '# Under the line “routes:” that is there, above every route that would take its messages:'
      : 'routes:',
  };
}
