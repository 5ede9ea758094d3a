/**
 * Who may sign in through a provider: people who are linked, people with a verified address that we know, who are linked
 * then, and newcomers that the configuration admits. docs/adr/0017-who-comes-in-by-single-sign-on.md says why.
 */
import type { FastifyRequest } from 'fastify';
import { auditPersonStep, auditStep } from '../../accounts/audit.ts';
import { addMember } from '../../accounts/members.ts';
import { addPerson, findPersonByEmail, lockPerson } from '../../accounts/people.ts';
import { mintId } from '../../accounts/token.ts';
import { isName } from '../../core/accounts/name.ts';
import { query, type Records, type Step } from '../../core/sql/records.ts';
import type { SignInDeps } from '../deps.ts';
import { readDevices } from '../sign-in/device.ts';
import type { NewSession } from '../sign-in/session.ts';
import { enter } from '../sign-in/sign-in.ts';
import { findLinked, linkIdentity, touch } from './identities.ts';
import type { Identity, NewcomerRule, Provider } from './provider.ts';

export type Admission =
  | { readonly kind: 'admitted'; readonly session: NewSession }
  /** The provider has not verified the address, or nobody here has it. */
  | { readonly kind: 'unverified' | 'unknown' }
  /** The address belongs to a person who is linked to another identity of this provider. */
  | { readonly kind: 'linked-otherwise' };

type Entrant = { readonly personId: string; readonly steps: readonly Step[] };
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
    const { personId } = entrant;
    const owner = await readDevices(records, personId);
    const entry = enter(deps, request, { owner, method: 'oidc', detail: by }, now);
    const answer = await records.transact([...entrant.steps, ...entry.steps]);
    if (answer.done) return { kind: 'admitted', session: entry.session };
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
  { by, address, now }: Circumstances,
): Promise<Entrant | Refusal> {
  const linked = await findLinked(records, identity);
  if (linked !== undefined) {
    return { personId: linked, steps: [lockPerson(linked), touch(linked, identity, now)] };
  }
  const { email } = identity;
  if (email === undefined) return { kind: 'unverified' };
  const known = await findPersonByEmail(records, email);
  if (known !== undefined) {
    const personId = known.id;
    const audit = auditPersonStep(records, {
      ...{ personId, address, action: 'identity.linked', detail: by, at: now },
    });
    return { personId, steps: [lockPerson(personId), linkIdentity(records, personId, identity, now), audit] };
  }
  return welcome(records, newcomers, { ...identity, email }, { by, address, now });
}

/** Adds a new person, as a member of each account whose rule they meet. */
async function welcome(
  records: Records,
  newcomers: readonly NewcomerRule[],
  identity: Identity & { readonly email: string },
  { by, address, now }: Circumstances,
): Promise<Entrant | Refusal> {
  const { email } = identity;
  const domain = email.slice(email.indexOf('@') + 1);
  const places = await findPlaces(
    records,
    newcomers.filter(({ domains }) => domains.includes(domain)),
  );
  if (places.length === 0) return { kind: 'unknown' };
  const personId = mintId('per', records.random);
  const given = identity.name?.trim().slice(0, 80) ?? '';
  const name = isName(given) ? given : email.slice(0, email.indexOf('@'));
  const joining = places.flatMap(({ accountId, role }) => [
    addMember(accountId, personId, role, now),
    auditStep(records, {
      accountId,
      by: { name, address },
      action: 'member.joined',
      subject: email,
      detail: `as ${role}, by ${by}`,
      at: now,
    }),
  ]);
  const person = addPerson({ id: personId, email, name, password: null }, now);
  return { personId, steps: [person, linkIdentity(records, personId, identity, now), ...joining] };
}

async function findPlaces(
  records: Records,
  rules: readonly NewcomerRule[],
): Promise<readonly { readonly accountId: string; readonly role: NewcomerRule['role'] }[]> {
  const places = await Promise.all(
    rules.map(async ({ account, role }) => {
      const rows = await query(records, 'SELECT id FROM account WHERE name = $1', account);
      return rows.map(({ id }) => ({ accountId: String(id), role }));
    }),
  );
  return places.flat();
}
