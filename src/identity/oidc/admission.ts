/**
 * Who may sign in through a provider: people who are linked, people with a verified address that we know, who are linked
 * then, and newcomers that the configuration admits. docs/adr/0017-who-comes-in-by-single-sign-on.md says why.
 */
import type { FastifyRequest } from 'fastify';
import { auditPersonStep, auditStep } from '../../accounts/audit.ts';
import { addMember } from '../../accounts/members.ts';
import { addPerson, findPersonByEmail, lockPerson } from '../../accounts/people.ts';
import { mintId } from '../../accounts/token.ts';
import { isOwnName, nameOfPerson } from '../../core/accounts/actor.ts';
import { isName } from '../../core/accounts/name.ts';
import { query, type Records, type Step } from '../../core/sql/records.ts';
import type { SignInDeps } from '../deps.ts';
import { type DeviceOwner, readDevices } from '../sign-in/device.ts';
import type { NewSession } from '../sign-in/session.ts';
import { enter } from '../sign-in/sign-in.ts';
import { beginAnew, vouch } from './first-vouch.ts';
import { findLinked, linkIdentity, touch } from './identities.ts';
import type { Identity, NewcomerRule, Provider } from './provider.ts';

export type Admission =
  /** `anew`: what had signed the person in before has ended. */
  | { readonly kind: 'admitted'; readonly session: NewSession; readonly anew: boolean }
  /** The provider has not verified the address, or nobody here has it. */
  | { readonly kind: 'unverified' | 'unknown' }
  /** The address belongs to a person who is linked to another identity of this provider. */
  | { readonly kind: 'linked-otherwise' };

interface Entrant {
  readonly owner: DeviceOwner;
  readonly steps: readonly Step[];
  /** What had signed the person in before ends. */
  readonly anew: boolean;
}
type Refusal = Exclude<Admission, { kind: 'admitted' }>;

export async function admit(
  deps: Pick<SignInDeps, 'clock' | 'records' | 'keyring'>,
  request: FastifyRequest,
  { name: providerName, newcomers }: Pick<Provider, 'name' | 'newcomers'>,
  identity: Identity,
): Promise<Admission> {
  const { clock, records } = deps;
  const by = `oidc:${providerName}`;
  // What was found may change before it is used, by another first sign-in or by the same one twice. Then it looks again.
  for (let attempts = 2; attempts > 0; attempts--) {
    const now = clock.wall();
    const entrant = await findEntrant(records, newcomers, identity, {
      by,
      address: request.clientAddress,
      now,
    });
    if ('kind' in entrant) return entrant;
    const { owner, anew } = entrant;
    const entry = enter(deps, request, { owner, method: 'oidc', detail: by }, now);
    const answer = await records.transact([...entrant.steps, ...entry.steps]);
    if (answer.done) return { kind: 'admitted', session: entry.session, anew };
  }
  return { kind: 'linked-otherwise' };
}

interface Circumstances {
  /** Such as `oidc:google`. */
  readonly by: string;
  readonly address: string;
  readonly now: number;
}

async function findEntrant(
  records: Records,
  newcomers: readonly NewcomerRule[],
  identity: Identity,
  circumstances: Circumstances,
): Promise<Entrant | Refusal> {
  const { by, address, now } = circumstances;
  const linked = await findLinked(records, identity);
  if (linked !== undefined) {
    const owner = await readDevices(records, linked);
    return { owner, steps: [lockPerson(linked), touch(linked, identity, now)], anew: false };
  }
  const { email } = identity;
  if (email === undefined) return { kind: 'unverified' };
  const known = await findPersonByEmail(records, email);
  if (known === undefined) return welcome(records, newcomers, { ...identity, email }, circumstances);
  const { id: personId } = known;
  const link = [
    linkIdentity(records, personId, identity, now),
    auditPersonStep(records, { personId, address, action: 'identity.linked', detail: by, at: now }),
  ];
  if (known.vouched) return { owner: known, steps: [lockPerson(personId), ...link], anew: false };
  const name = nameOf(identity, known.name);
  const renewed = beginAnew(records, personId, name);
  const joining = await joinByRule(records, newcomers, { id: personId, email, name }, circumstances);
  const audit = auditPersonStep(records, {
    ...{ personId, address, action: 'person.proven', at: now },
    detail: `by ${by}: what had signed them in before has ended`,
  });
  return {
    owner: renewed.owner,
    steps: [lockPerson(personId), ...renewed.steps, ...link, ...joining, audit],
    anew: true,
  };
}

/** Adds a new person, as a member of each account whose rule they meet. */
async function welcome(
  records: Records,
  newcomers: readonly NewcomerRule[],
  identity: Identity & { readonly email: string },
  circumstances: Circumstances,
): Promise<Entrant | Refusal> {
  const { email } = identity;
  const { now } = circumstances;
  const id = mintId('per', records.random);
  const name = nameOf(identity, email.slice(0, email.indexOf('@')));
  const joining = await joinByRule(records, newcomers, { id, email, name }, circumstances);
  if (joining.length === 0) return { kind: 'unknown' };
  return {
    owner: await readDevices(records, id),
    steps: [
      addPerson({ id, email, name, password: null }, now),
      vouch(id, name),
      linkIdentity(records, id, identity, now),
      ...joining,
    ],
    anew: false,
  };
}

/** A name that is not allowed here is not taken from a provider either. */
function nameOf({ name }: Identity, otherwise: string): string {
  const given = name?.trim().slice(0, 80) ?? '';
  return isName(given) && !isOwnName(given) ? given : otherwise;
}

/**
 * The steps that make somebody whom a provider vouches for the first time a member of each account whose rule they meet. Whom an owner
 * has removed stays removed.
 */
async function joinByRule(
  records: Records,
  newcomers: readonly NewcomerRule[],
  { id, email, name }: { readonly id: string; readonly email: string; readonly name: string },
  { by, address, now }: Circumstances,
): Promise<readonly Step[]> {
  const domain = email.slice(email.indexOf('@') + 1);
  const places = await findPlaces(
    records,
    newcomers.filter(({ domains }) => domains.includes(domain)),
    email,
  );
  return places.flatMap(({ accountId, role }) => [
    addMember(accountId, id, role, now),
    auditStep(records, {
      accountId,
      by: { name: nameOfPerson({ name, email }), address },
      action: 'member.joined',
      subject: email,
      detail: `as ${role}, by ${by}`,
      at: now,
    }),
  ]);
}

/** Accounts that the person is not in, and never was removed from. */
async function findPlaces(
  records: Records,
  rules: readonly NewcomerRule[],
  email: string,
): Promise<readonly { readonly accountId: string; readonly role: NewcomerRule['role'] }[]> {
  const sql = `SELECT id FROM account WHERE name = $1
    AND NOT EXISTS (SELECT 1 FROM member JOIN person ON person.id = person_id WHERE account_id = account.id AND email = $2)
    AND NOT EXISTS (
      SELECT 1 FROM audit_entry WHERE account_id = account.id AND action = 'member.removed' AND subject = $2)`;
  const places = await Promise.all(
    rules.map(async ({ account, role }) => {
      const rows = await query(records, sql, account, email);
      return rows.map(({ id }) => ({ accountId: String(id), role }));
    }),
  );
  return places.flat();
}
