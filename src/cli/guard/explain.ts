/** Says what the guard holds against a number, and for it. Works while the service runs: reads what it kept, changes nothing. */
import { isIP } from 'node:net';
import { listAccounts } from '../../accounts/accounts.ts';
import { countVerdicts } from '../../accounts/guarding/feedback.ts';
import { findPredecessors } from '../../accounts/key-succession.ts';
import { parseAnyDestination } from '../../core/destination/destination.ts';
import { maskDestination } from '../../core/destination/destination-mask.ts';
import { telephoneOf } from '../../core/destination/telephone.ts';
import { MOST_COUNTED, VERDICTS } from '../../core/guarding/verdict.ts';
import { query, type Records } from '../../core/sql/records.ts';
import type { GuardExplanation, PlaceExplanation } from '../../guard/explanation.ts';
import { Guard } from '../../guard/guard.ts';
import { KEPT_AT_ONCE, KEPT_BUCKETS, readKept } from '../../guard/live/kept-memory.ts';
import { readRules } from '../../guard/live/rules-keeper.ts';
import { NUMBER, type PlaceKind } from '../../guard/parameters.ts';
import { readConfiguration } from '../configuration.ts';
import { CommandFailure } from '../failure.ts';
import { openKeyring } from '../store/command-keyring.ts';
import { withStore } from '../store/command-store.ts';
import { formatTable } from '../table.ts';

export interface ExplainOptions {
  /** Its name or its id. */
  readonly account?: string;
  /** Its id or its prefix. */
  readonly key?: string;
  readonly ip?: string;
}

/** Who would ask, by ids. */
interface Asker {
  readonly account: string | undefined;
  readonly key: string | undefined;
  readonly ip: string | undefined;
}

/** Prints the evidence at each place that a request for the number would have, and never the number. */
export async function explainDecision(input: string, options: ExplainOptions): Promise<void> {
  const parsed = parseAnyDestination(input);
  if (!parsed.ok) throw new CommandFailure(`expected a full number such as +14155550123. ${parsed.detail}`);
  const { address, country } = parsed.destination;
  const { ip } = options;
  if (ip !== undefined && isIP(ip) === 0) {
    throw new CommandFailure('--ip must be an IP address such as 203.0.113.9');
  }
  const config = await readConfiguration();
  await withStore(config, async (store) => {
    const keyring = await openKeyring(config, store);
    const asker = { ...(await findAsker(store, options)), ip };
    const now = store.clock.now();
    const guard = new Guard({ origin: now - NUMBER.knownFor });
    const age = await recall(guard, store, now);
    guard.setRules((await readRules(store, keyring)).rules);
    const explanation = guard.explain({
      at: now,
      account: asker.account ?? '',
      key: asker.key ?? '',
      predecessors: asker.key === undefined ? undefined : await findPredecessors(store, asker.key),
      number: keyring.recipientTag(address),
      destination: telephoneOf(address),
      country,
      network: ip === undefined ? undefined : keyring.clientNetworkHash(ip),
    });
    console.log(`${maskDestination(address)} (${country}), ${age}`);
    console.log(describeRule(explanation));
    console.log(describeNumber(explanation, asker));
    console.log(describePlaces(explanation, asker));
    if (asker.account !== undefined) console.log(await describeVerdicts(store, asker.account, now));
  });
}

async function findAsker(records: Records, { account, key }: ExplainOptions): Promise<Omit<Asker, 'ip'>> {
  const accounts = account === undefined ? [] : await listAccounts(records);
  const found = accounts.find(({ id, name }) => name === account || id === account)?.id;
  if (account !== undefined && found === undefined) {
    throw new CommandFailure('--account must be the name or the id of an account; `keys list` shows them');
  }
  if (key === undefined) return { account: found, key: undefined };
  const sql = 'SELECT id, account_id FROM api_key WHERE id = $1 OR prefix = $1';
  const [row] = await query(records, sql, key);
  const owner = row === undefined ? undefined : String(row.account_id);
  if (row === undefined || (found ?? owner) !== owner) {
    throw new CommandFailure(
      `--key must be the id or the prefix of a key${found === undefined ? '' : ' of the account'}; \`keys list\` shows them`,
    );
  }
  return { account: owner, key: String(row.id) };
}

/** Reads what services kept. How old it is. */
async function recall(guard: Guard, records: Records, now: number): Promise<string> {
  const ages: number[] = [];
  let unreadable = 0;
  for (let first = 0; first < KEPT_BUCKETS; first += KEPT_AT_ONCE) {
    for (const { share, writtenAt } of await readKept(records, first)) {
      if (share === undefined) unreadable += 1;
      else guard.absorb(share, now);
      ages.push(Math.max(0, Math.round((now - writtenAt) / 1_000)));
    }
  }
  if (ages.length === 0) return 'nothing is kept yet: a running service keeps what it learns within a minute';
  const lost = unreadable === 0 ? '' : `; ${unreadable} of ${ages.length} parts cannot be read`;
  const [newest, oldest] = [Math.min(...ages), Math.max(...ages)].map(String);
  return `as kept ${newest} to ${oldest} s ago; what changed is written within a minute${lost}`;
}

function describeRule({ rule }: GuardExplanation): string {
  if (rule === undefined) return 'rule: none of the operator applies';
  const end = rule.until === undefined ? '' : `, until ${new Date(rule.until).toISOString()}`;
  return `rule: ${rule.action}, of the ${rule.of}${end}: ${clean(rule.reason)}`;
}

function describeNumber({ number }: GuardExplanation, { account }: Asker): string {
  const { isKnown, unconfirmed, isOfAnother } = number;
  const said = [
    isKnown ? 'known: its last code was confirmed' : 'not known: it has not confirmed, or not of late',
    `${unconfirmed.toFixed(1)} codes unconfirmed, refused at ${NUMBER.mostUnconfirmed}`,
  ];
  if (isOfAnother) {
    said.push(`a code of ${account === undefined ? 'an' : 'another'} account is open: others are refused`);
  }
  return `number: ${said.join('; ')}`;
}

/** The places that belong to who asks are only shown for somebody. */
const SHOWN_FOR: Readonly<Partial<Record<PlaceKind, keyof Asker>>> = {
  'account-country': 'account',
  account: 'account',
  unproven: 'account',
  key: 'key',
  network: 'ip',
};

function describePlaces({ places }: GuardExplanation, asker: Asker): string {
  // What is no telephone number is in no range.
  const isShown = ({ kind, label }: PlaceExplanation) => {
    const needed = SHOWN_FOR[kind];
    return !label.endsWith('+') && (needed === undefined || asker[needed] !== undefined);
  };
  return formatTable(
    places.filter(isShown).map(({ label, state, sent, confirmed, baseline, odds, closesAt, words }) => ({
      place: label,
      state,
      'sent (minutes, hours, days)': inFigures(sent),
      confirmed: inFigures(confirmed),
      usual: `${Math.round(baseline * 100)} %`,
      'odds e^': odds.toFixed(1),
      'closes at e^': closesAt.toFixed(1),
      evidence: words,
    })),
  );
}

async function describeVerdicts(records: Records, account: string, now: number): Promise<string> {
  const counted = await countVerdicts(records, account, now);
  const said = VERDICTS.map((name) => `${counted[name]} of at most ${MOST_COUNTED[name].account} as ${name}`);
  return `verdicts of the account that count today: ${said.join(', ')}`;
}

const inFigures = (counts: readonly number[]) => counts.map((count) => count.toFixed(1)).join(' ');

/** Control characters must not reach the terminal. */
const clean = (text: string) => text.replace(/\p{Cc}/gu, '?');
