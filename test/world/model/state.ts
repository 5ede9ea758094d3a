import type { Command as Request, Role, TakingBack, Verdict } from '../command.ts';
import type { Happening, Sent } from '../happening.ts';
import type { Questioned, Refuse } from '../lookup.ts';
import type { FixedOptions, LiveOptions } from '../options.ts';
import { type Channel, type Door, FIRST_KEYS, FIRST_MEMBERS } from './table.ts';
import type { Way } from './ways.ts';

/** When something was done: at some moment from `at` to `until`. */
export interface Span {
  readonly at: number;
  readonly until: number;
}
/** One that counts against a limit: surely, or as far as the documents leave it open. */
export interface Counted extends Span {
  readonly sure: boolean;
}
export interface Since<T> extends Span {
  readonly value: T;
}
type Of<T extends Request['do']> = Omit<Extract<Request, { do: T }>, 'do'>;
export interface Key
  extends Omit<Of<'make-key'>, 'by' | 'at' | 'lasts'>,
    Omit<Of<'bound-key'>, 'key' | 'by' | 'at'> {
  readonly lasts?: number | undefined;
  /** The keys that it succeeds by rotation, whose full numbers it gets (keys.md, Full numbers). */
  readonly before: readonly string[];
  readonly ends: Span | undefined;
  readonly replaced: boolean;
  /** Its secret was in an answer that nobody got. */
  readonly isLost?: boolean;
  readonly revoked: boolean;
}
export interface Settings
  extends Omit<Required<Of<'settings'>>, 'account' | 'length' | 'refuse' | 'by' | 'at'> {
  readonly length: number | undefined;
  readonly refuse: Refuse | undefined;
}
/** Who may do something in the portal. */
export interface Person {
  readonly roles: Record<string, Role>;
  /** Undefined while they are not signed in. */
  signedIn: Span | undefined;
  /** When they showed who they are. */
  proven: Span;
  used: Span;
}
export interface Attempt extends Omit<Sent, 'did'> {
  readonly at: number;
  /** Of a carrier that is slow: as if it hung, until it has said that it took the message. One that arrived at once was taken, and reported. */
  did: Exclude<Sent['did'], 'slow' | 'arrived'>;
  answered: number;
  /** What it reported before that. */
  early?: 'delivered' | 'undelivered';
  /** In millionths of the currency's unit: by the prices of when it was accepted and of when it was sent. */
  least: number;
  most: number;
  /** The lowest by the prices of when it was sent: a budget that came later has nothing reserved by those before. */
  lowest: number;
  /** False if a crash came before the service can be sure to have written down what the carrier answered. */
  written: boolean;
  report: Report | undefined;
  /** When its carrier was asked to take it back, and until when that went on. */
  readonly asked: (Span & { readonly answer: TakingBack })[];
}
export interface Report {
  readonly status: 'delivered' | 'undelivered';
  readonly at: number;
  /** Nobody reported it: it was taken back; `may` where it is open whether that was written down. */
  readonly revoked?: 'may' | 'yes';
}
export interface Verification {
  readonly key: string;
  readonly account: string;
  readonly test: boolean;
  readonly door: Door;
  readonly to: string;
  readonly channel: Channel;
  /** Of a test of a carrier: the one that is asked, once. */
  readonly only?: string;
  readonly custom: boolean;
  readonly lengths: readonly number[];
  readonly asked: Span;
  /** By which it could go when it was accepted, and what each costs. */
  readonly reserved: readonly Way[];
  /** Unknown if its answer was lost and never repeated. */
  id: string | undefined;
  code: string | undefined;
  /** Guesses that were wrong, while the code is unknown. */
  readonly not: string[];
  wrong: number;
  exhausted: Span | undefined;
  /** `app`: by `Status=approved`, of which no document says that it is told as a confirmation. */
  confirmed: (Span & { readonly app: boolean }) | undefined;
  /** By a cancellation or another's approval; not surely where the documents leave it open. */
  ended: (Counted & { readonly canceled: boolean }) | undefined;
  erased: Span | undefined;
  /** What the account said that it was, and when. */
  said?: (Span & { readonly verdict: Verdict }) | undefined;
  /** Whether it may be checked by its number; undefined where the documents leave it open. */
  byNumber: boolean | undefined;
  readonly attempts: Attempt[];
  /** Another one has the same code and number, so that nobody can tell whose a message is. */
  twin: boolean;
  crashes: number;
}
export interface Once extends Span {
  readonly body: string;
  readonly verification: Verification;
  /** What a guess was answered with. */
  readonly answer: string;
}
/** How the endpoint of an account is set. */
export interface Endpoint {
  readonly isOn: boolean;
  /** When it was last turned on. */
  readonly onSince: number;
  readonly full: boolean;
  /** None are all. */
  readonly types: readonly string[];
  /** Unknown if the answer that brought it was lost. */
  readonly secret: string | undefined;
  /** The secret before, and when it was replaced. */
  readonly before: (Span & { readonly secret: string | undefined }) | undefined;
}
/** What a provider was asked. */
export interface Question
  extends Pick<Questioned, 'lookup' | 'process' | 'number' | 'hours' | 'ported' | 'since'> {
  readonly at: number;
  readonly answered: number;
  /** Undefined without an answer. */
  readonly says: Questioned['said'] | undefined;
  /** Whether the provider seems to be away. */
  readonly isFailure: boolean;
  /** Undefined until a request explains it. */
  payer: Payment | undefined;
}
/** Whose request had it asked. */
export type Payment = Pick<Verification, 'account' | 'key' | 'to' | 'asked'>;
/** A rule that beats the guard, for all accounts or for one. */
export interface Rule extends Pick<Of<'guard-rule'>, 'action' | 'of' | 'value'> {
  readonly account: string | undefined;
  readonly ends: Span | undefined;
  /** Whoever made it in the portal sees its id only in the list. */
  readonly isKnown: boolean;
}
/** An entry of an audit log: the beginning of its action, something of its subject or detail, who did it and from where. */
export interface Logged {
  readonly at: number;
  until: number;
  sure: boolean;
  /** Of what is one entry an hour: what it is. */
  readonly hour?: string;
  readonly action: string;
  readonly about: string | readonly string[];
  /** Undefined where the documents do not say who. */
  readonly who: string | undefined;
  readonly address: string | null;
}
export type Command = Extract<Happening, { kind: 'command' }>;
export type Judged = (s: State, command: Command, group: readonly Command[]) => readonly State[];
export type Told = Extract<Happening, { kind: 'told' }>;

/** One history as it may have been: plain maps and lists, so that `structuredClone` copies it. */
export interface State {
  readonly fixed: FixedOptions;
  readonly live: Since<LiveOptions>[];
  readonly keys: Map<string, Since<Key | undefined>[]>;
  readonly settings: Map<string, Since<Settings>[]>;
  readonly verifications: Verification[];
  readonly made: Map<number, Verification>;
  /** By key. */
  readonly requests: Map<string, Counted[]>;
  /** By account, kind and number. */
  readonly sends: Map<string, Counted[]>;
  readonly guesses: Map<string, Counted[]>;
  readonly people: Map<string, Person>;
  /** Which verification the cookie of a browser names, by the number of its command. */
  readonly browsers: Map<string, Span & { readonly made: number }>;
  /** By account and number or range: undefined where the documents leave open whether it is on the list. */
  readonly blocked: Map<string, Since<boolean | undefined>[]>;
  readonly endpoints: Map<string, Since<Endpoint>[]>;
  /** Of each account the tests that were asked for: their messages, as far as they are known. */
  readonly tests: Map<string, Since<string | undefined>[]>;
  /** Tests of carriers that an account asked for. */
  readonly carrierTests: Map<string, Counted[]>;
  /** Rules of the guard, by name. */
  readonly rules: Map<string, Since<Rule | undefined>[]>;
  /** What each account had told again: what happened from `since` on, and whether also what was taken. */
  readonly replays: (Span & { readonly account: string; readonly since: number; readonly all: boolean })[];
  /** Of each account what its audit log has. */
  readonly logged: Map<string, Logged[]>;
  readonly once: Map<string, Once>;
  readonly questions: Question[];
  /** What requests may have paid for questions that were not asked, whose answers nobody heard. */
  readonly doubts: (Payment & { readonly price: number })[];
  /** By the number of their commands: requests that were refused because a look-up gave no answer. */
  readonly unanswered: number[];
  /** Codes of missed calls beside those of the history, by whose they are. */
  readonly crowds: (Span & { readonly account: string; readonly many: number; readonly ends: Span })[];
  /** When requests for codes were refused. */
  readonly spared: Span[];
  /** When missed calls were asked for of which nobody knows whether they have an ending. */
  readonly unclear: Span[];
  /** Under these a request was begun whose answer is unknown, and when. */
  readonly hanging: Map<string, number>;
  /** When processes of the service died or fell asleep. */
  readonly deaths: number[];
  /** How far the clock of a machine may have been from the world's, in ms. */
  apart: number;
  /** Since when there is room on the disk. */
  roomSince: number;
  /** When it was last full from. */
  fullSince: number;
  /** Messages whose verification is not known yet: the answer may come later than its message. */
  loose: Attempt[];
  /** Reports and webhook messages that may be ahead of the answer that explains them. */
  early: Told[];
  told: Told[];
  now: number;
}

export const ALWAYS = { at: Number.NEGATIVE_INFINITY, until: Number.NEGATIVE_INFINITY };
const CONFIGURED: Settings = {
  ...{ sends: [], wrong: [], length: undefined, twilio: false, camara: false, countries: [], budgets: [] },
  refuse: undefined,
};

export function beginning(
  fixed: FixedOptions,
  live: LiveOptions,
  secrets: ReadonlyMap<string, string>,
): State {
  const key = {
    ...{ channels: [], countries: [], before: [] },
    ...{ ends: undefined, replaced: false, revoked: false },
  };
  return {
    fixed,
    live: [{ ...ALWAYS, value: live }],
    keys: new Map(FIRST_KEYS.map((it) => [it.name, [{ ...ALWAYS, value: { ...key, ...it } }]])),
    settings: new Map(['a', 'b'].map((account) => [account, [{ ...ALWAYS, value: CONFIGURED }]])),
    ...{
      verifications: [],
      deaths: [],
      spared: [],
      unclear: [],
      loose: [],
      early: [],
      told: [],
      replays: [],
      crowds: [],
      now: Number.NEGATIVE_INFINITY,
    },
    apart: 0,
    ...{ roomSince: Number.NEGATIVE_INFINITY, fullSince: Number.POSITIVE_INFINITY },
    ...{ made: new Map(), requests: new Map(), sends: new Map(), guesses: new Map(), blocked: new Map() },
    ...{ once: new Map(), hanging: new Map(), browsers: new Map(), tests: new Map(), rules: new Map() },
    carrierTests: new Map(),
    ...{ questions: [], doubts: [], unanswered: [] },
    endpoints: new Map(
      ['a', 'b'].map((account) => [
        account,
        [{ ...ALWAYS, value: { ...ADDED, secret: secrets.get(account) } }],
      ]),
    ),
    logged: new Map(['a', 'b'].map((account) => [account, firstLogged(account)])),
    people: new Map(
      FIRST_MEMBERS.map(([name, roles]) => [
        name,
        { roles: { ...roles }, signedIn: undefined, proven: ALWAYS, used: ALWAYS },
      ]),
    ),
  };
}

const ADDED = { isOn: true, onSince: Number.NEGATIVE_INFINITY, full: false, types: [], before: undefined };
function firstLogged(account: string): Logged[] {
  const by = { ...ALWAYS, who: 'command line', address: null, sure: true };
  const keys = FIRST_KEYS.filter((it) => it.account === account);
  const made = keys.map(({ name }) => ({ ...by, action: 'key.created', about: `${name} (` }));
  return [...made, ...['webhook.', 'guard.'].map((action) => ({ ...by, action, about: '' }))];
}

export function listOf<T>(map: Map<string, T[]>, name: string): T[] {
  const list = map.get(name) ?? [];
  map.set(name, list);
  return list;
}

/** A key and those before it, the first one first: what holds for one of them holds for it (keys.md, Rotation). */
export const lineOf = (s: State, key: string): readonly string[] => [
  ...(s.keys.get(key)?.at(-1)?.value?.before ?? []),
  key,
];

export const liveNow = (s: State): LiveOptions =>
  s.live.at(-1)?.value ?? { countries: [], route: [], budgets: [] };
/** A budget of the service, or one that an account set for itself. */
export type Budget = LiveOptions['budgets'][number] & { readonly by?: string };
/** All that may apply to an account's messages, by these settings of it. */
export const budgetsOf = (s: State, account: string, settings?: Settings): readonly Budget[] => [
  ...liveNow(s).budgets,
  ...((settings ?? s.settings.get(account)?.at(-1)?.value)?.budgets ?? []).map((it) => ({
    ...it,
    by: account,
  })),
];
export const places = (v: { account: string; test: boolean; to: string }): string =>
  `${v.account} ${v.test ? 'test' : 'live'} ${v.to}`;
