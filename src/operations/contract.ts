/** What the portal's server and front end share. The server validates with these schemas; the front end uses their types. */
import Type from 'typebox';
import { EMAIL_PATTERN, NAME_PATTERN, NAME_RULE } from '../core/accounts/name.ts';
import type { MemberRole } from '../core/accounts/role.ts';
import { AnyChannel as Channel, Instant } from '../http/schemas.ts';

export const OneOf = <const T extends string>(values: readonly T[], options: Type.TSchemaOptions = {}) =>
  Type.Unsafe<T>({ type: 'string', enum: values, ...options });

export const Role = OneOf<MemberRole>(['owner', 'developer', 'viewer']);
export type Role = MemberRole;

export const Id = Type.String({ minLength: 1, maxLength: 64 });
export const nameUpTo = (maxLength: number) =>
  Type.String({ minLength: 1, maxLength, pattern: NAME_PATTERN, description: NAME_RULE });
export const Name = nameUpTo(80);
export const Email = Type.String({
  minLength: 3,
  maxLength: 254,
  pattern: EMAIL_PATTERN,
  description: 'An address such as name@example.com.',
});
export const Password = Type.String({
  minLength: 12,
  maxLength: 256,
  description: 'At least 12 characters.',
});
export const Country = Type.String({
  pattern: '^[A-Z]{2}$',
  description: 'An ISO 3166 alpha-2 code such as DE.',
});
/** Where a list goes on. */
export const Cursor = Type.String({
  minLength: 1,
  maxLength: 1_500,
  description: '`next` of the previous page.',
});
export const OneTimeToken = Type.String({ minLength: 20, maxLength: 128 });
export const Optional = <T extends Type.TSchema>(schema: T) => Type.Union([schema, Type.Null()]);

export { Channel, Instant };
