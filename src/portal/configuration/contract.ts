/** Carriers and routes to add to the configuration: the form, the check, and where what is there was set. */
import Type, { type Static } from 'typebox';
import { OneOf, Optional } from '../contract.ts';

const Texts = Type.Array(Type.String());

export const Configuration = Type.Object({
  /** The person may know where the service is configured: an owner of the first account. The rest is null or empty for others. */
  operator: Type.Boolean(),
  file: Optional(Type.Object({ path: Type.String(), is_there: Type.Boolean() })),
  options: Type.Array(
    Type.Object({
      key: Type.String({ description: 'Such as carriers.acme.password or routes[0].countries.' }),
      by: OneOf(['file', 'variable']),
      place: Type.String({ description: 'The line of the file, or the name of the variable.' }),
    }),
  ),
});
export type Configuration = Static<typeof Configuration>;

const KINDS = [
  ...(['group', 'text', 'number', 'flag', 'choice', 'choices'] as const),
  ...(['list', 'pairs', 'numbers', 'json', 'secret'] as const),
] as const;

const Field = Type.Object({
  path: Type.String(),
  kind: OneOf(KINDS),
  required: Type.Boolean(),
  unless: Optional(Type.String({ description: 'The option that may be set in place of a required one.' })),
  description: Type.String(),
  expected: Type.String(),
  fallback: Optional(Type.String({ description: 'The default, as JSON.' })),
  example: Optional(Type.String({ description: 'As JSON.' })),
  pattern: Optional(Type.String()),
  choices: Texts,
  stays: Type.Boolean({ description: 'It may hold a secret, so pages do not send it.' }),
  variable: Optional(Type.String({ description: 'Of a secret, with NAME for the name of the carrier.' })),
});
export type Field = Static<typeof Field>;

export const ConfigurationForms = Type.Object({
  carriers: Type.Array(
    Type.Object({ type: Type.String(), description: Type.String(), fields: Type.Array(Field) }),
  ),
  route: Type.Array(Field),
});
export type ConfigurationForms = Static<typeof ConfigurationForms>;

export const Proposal = Type.Object({
  yaml: Type.String({
    minLength: 1,
    maxLength: 6_000,
    description: 'The entries of carriers and routes to add, without secrets.',
  }),
});
export type Proposal = Static<typeof Proposal>;

export const Checked = Type.Object({
  problems: Type.Array(
    Type.Object({
      key: Type.String(),
      option: Optional(
        Type.String({ description: 'The option of the proposal, such as routes.0.countries.' }),
      ),
      line: Optional(Type.Integer({ description: 'In the proposal.' })),
      wrong: Type.String(),
      expected: Type.String(),
      fix: Type.String(),
    }),
  ),
  warnings: Type.Array(Type.Object({ key: Type.String(), detail: Type.String() })),
  routes_before: Type.Integer({ description: 'How many of the routes in effect stay above those to add.' }),
  files: Type.Array(Type.String(), { description: 'Options that name files, which were not opened.' }),
});
export type Checked = Static<typeof Checked>;
