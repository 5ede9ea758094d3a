/** Carriers and routes to add to the configuration: the form, and where what is there was set. */
import Type, { type Static } from 'typebox';
import { OneOf, Optional } from '../../operations/contract.ts';

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
  entry: Optional(
    Type.Object(
      { pattern: Optional(Type.String()), expected: Type.String() },
      { description: 'Of each text of a list, and of each value of a group whose names are free.' },
    ),
  ),
  key: Optional(Type.String({ description: 'The pattern of each name in such a group.' })),
  names: Optional(OneOf(['country', 'language'])),
  choices: Texts,
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
