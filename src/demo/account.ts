/** The account of the demo: its people, its keys, and the numbers that it sends nothing to. */
import { createAccountKeys } from '../accounts/account-keys.ts';
import { blockNumbers } from '../accounts/blocking/blocked-numbers.ts';
import { acceptInvitation, findInvitation, invite } from '../accounts/invitations.ts';
import { createKeys } from '../accounts/keys.ts';
import { addPerson } from '../accounts/people.ts';
import { mintId } from '../accounts/token.ts';
import { type Actor, COMMAND_LINE } from '../core/accounts/actor.ts';
import { UNRESTRICTED } from '../core/accounts/api-key.ts';
import { mintKey } from '../core/accounts/api-key-format.ts';
import type { MemberRole } from '../core/accounts/role.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../core/seams/spans.ts';
import type { Keyring } from '../core/secrets/keyring.ts';
import type { Records } from '../core/sql/records.ts';
import { UNWANTED } from './countries.ts';

export interface DemoAccount {
  readonly id: string;
  /** The ids of its keys. */
  readonly keys: Readonly<Record<'web' | 'app' | 'staging', string>>;
}

const NAME = 'Demo';
const OWNER = {
  name: 'Mara Lindqvist',
  email: 'mara@demo.example',
  role: 'owner',
  address: '192.0.2.14',
} as const;
const OTHERS = [
  { name: 'Jonas Weber', email: 'jonas@demo.example', role: 'developer', address: '192.0.2.31' },
  { name: 'Priya Shah', email: 'priya@demo.example', role: 'viewer', address: '198.51.100.8' },
] as const;
/** Where the servers of the account are. */
const SERVERS = { web: '203.0.113.20', app: '203.0.113.21', staging: '203.0.113.40' } as const;

interface Deps {
  readonly records: Records;
  readonly keyring: Keyring;
}

/** Everything bears a time before the week's first code, but for what people do now and then. */
export async function makeDemoAccount({ records, keyring }: Deps, now: number): Promise<DemoAccount> {
  const { random } = records;
  const all = createKeys(records);
  const begun = now - 19 * DAY_MS;
  const mint = (name: string, test: boolean, createdAt: number) => {
    const { key: _, ...minted } = mintKey(random, test);
    return { ...minted, name, test, createdAt, expiresAt: null, restrictions: UNRESTRICTED };
  };
  const staging = await all.createKey(NAME, mint('Staging', true, begun), COMMAND_LINE);
  const { accountId: id } = staging;
  await join(records, id, OWNER, COMMAND_LINE, begun + 4 * MINUTE_MS);
  for (const [n, person] of OTHERS.entries())
    await join(records, id, person, OWNER, begun + (n + 1) * 26 * HOUR_MS);

  const keys = createAccountKeys(records, OWNER.role);
  const add = async (name: string, daysAgo: number, by: Actor) => {
    const made = await keys.add(id, mint(name, false, now - daysAgo * DAY_MS), by);
    if (made.kind !== 'done') throw new Error(`the demo's key ${name} was refused: ${made.kind}`);
    return made.key.id;
  };
  const web = await add('Web shop', 16, OWNER);
  const app = await add('Mobile app', 15, OTHERS[0]);
  const trial = await add('Load test', 9, OTHERS[0]);
  await keys.revoke(id, trial, OWNER, now - 8 * DAY_MS);
  await all.touchKeys([
    { id: web, at: now - 20_000, from: SERVERS.web },
    { id: app, at: now - 2 * MINUTE_MS, from: SERVERS.app },
    { id: staging.id, at: now - 3 * HOUR_MS, from: SERVERS.staging },
    { id: trial, at: now - 8.2 * DAY_MS, from: SERVERS.staging },
  ]);
  const [first, ...others] = UNWANTED;
  await blockNumbers({ records, keyring }, id, [first], OWNER, now - 6 * DAY_MS);
  await blockNumbers({ records, keyring }, id, others, OTHERS[0], now - 2 * DAY_MS - 5 * HOUR_MS);
  return { id, keys: { web, app, staging: staging.id } };
}

interface Person extends Actor {
  readonly email: string;
  readonly role: MemberRole;
  readonly address: string;
}

/** As if they had followed the link of an invitation. They have no password: nobody can sign in as them. */
async function join(
  records: Records,
  accountId: string,
  { name, email, role, address }: Person,
  by: Actor,
  at: number,
): Promise<void> {
  const invited = await invite(records, { accountId, email, role }, by, at);
  const token = invited.kind === 'invited' ? invited.token : '';
  const found = await findInvitation(records, token, at);
  if (found === undefined) throw new Error(`${email} is a member of the demo already`);
  const person = { id: mintId('per', records.random), name, email, address };
  const joinedAt = at + 11 * MINUTE_MS;
  const answer = await records.transact([
    addPerson({ ...person, password: null }, joinedAt),
    ...acceptInvitation(records, token, found, person, joinedAt),
  ]);
  if (!answer.done) throw new Error(`${email} could not join the demo`);
}
