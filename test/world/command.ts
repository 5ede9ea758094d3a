/**
 * What people, applications, carriers and operators do to the simulated service. Whoever is named is named
 * by the world's own words: accounts `a` and `b`; keys `a-live`, `a-test`, ... and further ones that a history makes; the service's ids
 * (`ver_...`, SIDs) by the number of the command whose answer brought them.
 */
import type { Line, ProviderConduct, Refuse } from './lookup.ts';
import type { LiveOptions } from './options.ts';

/** Missed calls and RCS are offered only while a route serves them. */
export type Channel = 'sms' | 'voice' | 'rcs' | 'flashcall';

/** Whose key a request carries: the name of one, or something that is no key. */
export type KeyName = string;
/** The verification that the answer of the n-th command of this history brought; negative for an id that nobody ever made. */
export type Made = number;

/** Who does it in the portal, by name; absent: the operator, on the command line. `at` is the account whose pages these are, if not its own. */
interface ByMember {
  readonly by?: string;
  readonly at?: string;
}
interface OfNumber {
  readonly number: string;
  readonly account?: string;
  readonly by?: string;
}
export type Verdict = 'fraud' | 'good';
export type Role = 'owner' | 'developer' | 'viewer' | 'none';

export type Command =
  /** POST /verify */
  | {
      readonly do: 'verify';
      readonly key: KeyName;
      readonly to: string;
      readonly channel: Channel;
      readonly code?: string;
      readonly length?: number;
      readonly once?: string;
    }
  /** POST /confirm */
  | {
      readonly do: 'confirm';
      readonly key: KeyName;
      readonly id: Made;
      readonly code: string;
      readonly once?: string;
    }
  /** Somebody's browser asks an application for a code, and sends it what they typed: the client's `start` and `check`. */
  | {
      readonly do: 'app-start';
      readonly key: KeyName;
      readonly browser: string;
      readonly to: string;
      readonly channel: Channel;
    }
  | { readonly do: 'app-check'; readonly key: KeyName; readonly browser: string; readonly code: string }
  /** GET /verifications/{id} */
  | { readonly do: 'look'; readonly key: KeyName; readonly id: Made }
  /** Twilio's façade: Verifications, VerificationCheck, Fetch, Update */
  | {
      readonly do: 'twilio-send';
      readonly key: KeyName;
      readonly to: string;
      readonly channel: 'sms' | 'call' | 'rcs' | 'flashcall';
      readonly code?: string;
      readonly once?: string;
    }
  | { readonly do: 'twilio-check'; readonly key: KeyName; readonly of: string | Made; readonly code: string }
  | { readonly do: 'twilio-fetch'; readonly key: KeyName; readonly id: Made }
  | {
      readonly do: 'twilio-update';
      readonly key: KeyName;
      readonly id: Made;
      readonly status: 'approved' | 'canceled';
    }
  /** What a verification turned out to be: POST /verifications/{id}/feedback, or as the feedback of a message, whose SID may be that of it. */
  | { readonly do: 'feedback'; readonly key: KeyName; readonly id: Made; readonly verdict: Verdict }
  | {
      readonly do: 'twilio-feedback';
      readonly key: KeyName;
      readonly id: Made;
      readonly outcome?: 'confirmed' | 'unconfirmed';
      readonly sid: 'SM' | 'VE';
    }
  /** CAMARA: send-code, validate-code */
  | { readonly do: 'camara-send'; readonly key: KeyName; readonly to: string }
  | { readonly do: 'camara-check'; readonly key: KeyName; readonly id: Made; readonly code: string }
  /** An identity system, by its name, has a code of its own sent: POST /hooks/{name}, with account a's live key. */
  | {
      readonly do: 'hook';
      readonly system: string;
      readonly to: string;
      readonly code: string;
      /** What it calls its message, if it names them. */
      readonly once?: string;
      /** With another secret, or a time that is six minutes off. */
      readonly odd?: 'forged' | 'late';
    }
  /** Somebody answers a message: STOP or START to a carrier. */
  | {
      readonly do: 'keyword';
      readonly from: string;
      readonly carrier: string;
      readonly word: 'STOP' | 'START';
    }
  /** The operator or an owner: numbers and ranges not to be sent to. */
  | ({ readonly do: 'block' | 'unblock'; readonly account: string; readonly what: string } & ByMember)
  /** Keys. `make` answers a key that is called `name` from then on. */
  | (ByMember & {
      readonly do: 'make-key';
      readonly account: string;
      readonly name: KeyName;
      readonly test: boolean;
      readonly customCodes: boolean;
      /** In ms; absent: it has no end of its own. */
      readonly lasts?: number;
    })
  | ({
      readonly do: 'rotate-key';
      readonly key: KeyName;
      readonly name: KeyName;
      readonly overlap: number;
    } & ByMember)
  | (ByMember & {
      readonly do: 'bound-key';
      readonly key: KeyName;
      readonly channels: readonly string[];
      readonly countries: readonly string[];
    })
  /** Its end, in so many ms from now or never (null); and whether it may bring codes. */
  | (ByMember & {
      readonly do: 'change-key';
      readonly key: KeyName;
      readonly lasts?: number | null;
      readonly customCodes?: boolean;
    })
  | ({ readonly do: 'revoke-key'; readonly key: KeyName } & ByMember)
  /** An owner changes the account's settings; what is absent follows the configuration. Lists hold rates such as `2/1m`. */
  | (ByMember & {
      readonly do: 'settings';
      readonly account: string;
      readonly sends?: readonly string[];
      readonly wrong?: readonly string[];
      readonly length?: number;
      readonly budgets?: LiveOptions['budgets'];
      readonly twilio: boolean;
      readonly camara?: boolean;
      readonly countries: readonly string[];
      /** What look-ups may not say of a number; absent: nothing is refused. */
      readonly refuse?: Refuse;
    })
  /** The endpoint of an account: whether it gets full numbers, and which types of events; none are all. */
  | (ByMember & {
      readonly do: 'change-webhook';
      readonly account: string;
      readonly full?: boolean;
      readonly types?: readonly string[];
    })
  | (ByMember & {
      readonly do: 'enable-webhook' | 'disable-webhook' | 'rotate-webhook' | 'test-webhook';
      readonly account: string;
    })
  /** What happened in the last so many ms is told again: what was given up, or also what was taken. */
  | (ByMember & {
      readonly do: 'replay-webhook';
      readonly account: string;
      readonly ago: number;
      readonly all: boolean;
    })
  /** A rule that beats the guard, called `name` from then on: for all accounts, or for one; `value` of a key is its name. */
  | {
      readonly do: 'guard-rule';
      readonly by?: string;
      readonly name: string;
      readonly account?: string;
      /** A pause has an end. */
      readonly action: 'allow' | 'deny' | 'pause';
      readonly of: 'number' | 'range' | 'country' | 'key';
      readonly value: string;
      /** In ms; absent: until it is lifted. */
      readonly lasts?: number;
    }
  | { readonly do: 'lift-rule'; readonly by?: string; readonly account?: string; readonly name: string }
  /** An owner gives a member another role, or removes one (`none`). */
  | {
      readonly do: 'member';
      readonly by: string;
      readonly account: string;
      readonly who: string;
      readonly role: Role;
    }
  /** An owner sends one message over exactly this carrier. */
  | {
      readonly do: 'test-carrier';
      readonly by: string;
      readonly account: string;
      readonly carrier: string;
      readonly to: string;
      readonly channel: Channel;
    }
  /** A member looks at a list of an account, or at the full number of a verification. */
  | { readonly do: 'list'; readonly by: string; readonly account: string; readonly what: Listed }
  | { readonly do: 'reveal'; readonly by: string; readonly account: string; readonly id: Made }
  /** A member opens the page of a verification, or says there what it turned out to be; null takes that back. */
  | { readonly do: 'open'; readonly by: string; readonly account: string; readonly id: Made }
  | {
      readonly do: 'judge';
      readonly by: string;
      readonly account: string;
      readonly id: Made;
      readonly verdict: Verdict | null;
    }
  /** `prove`: who is signed in shows again who they are. */
  | { readonly do: 'sign-in' | 'prove' | 'sign-out'; readonly by: string }
  /**
   * Everything about a number is erased, or read out (`countersign numbers`): of one account, as owners do it in the portal, or of all.
   * With `lists` it leaves the do-not-send lists, too.
   */
  | (OfNumber & { readonly do: 'erase'; readonly lists?: boolean })
  | (OfNumber & { readonly do: 'copy' })
  /** The operator reads all do-not-send lists (`countersign block export`). */
  | { readonly do: 'export' }
  /** From now on a provider of look-ups does this with questions. */
  | { readonly do: 'provider'; readonly lookup: string; readonly conduct: ProviderConduct }
  /** From now on this is so of a number, which providers know. */
  | ({ readonly do: 'line'; readonly number: string } & Line)
  /** The operator changes live options and reloads. */
  | { readonly do: 'reload'; readonly live: LiveOptions }
  /** From now on a carrier does this with what it is asked to send. */
  | { readonly do: 'carrier'; readonly carrier: string; readonly conduct: Conduct }
  /** From now on a carrier answers this when it is asked to take back what it took. */
  | { readonly do: 'take-back'; readonly carrier: string; readonly answer: TakingBack }
  /** So many other codes are open that went out as missed calls of an account, for so many ms. */
  | { readonly do: 'crowd'; readonly account: string; readonly many: number; readonly lasts: number }
  /** A carrier reports what became of the n-th message that any carrier was asked to send, counted from 0. */
  | { readonly do: 'report'; readonly sent: number; readonly status: 'delivered' | 'undelivered' }
  /** What goes wrong at the next commit that a command asks for, or so many later: see Fault. */
  | { readonly do: 'fault'; readonly fault: Fault; readonly after?: number }
  /** From now on the disk takes nothing more, until there is room again. A process that starts finds room. */
  | { readonly do: 'disk'; readonly isFull: boolean }
  /** The process ends without a word, and another one starts. */
  | { readonly do: 'crash' }
  /** The process is told to stop, as for an upgrade, and another one starts once it has ended. */
  | { readonly do: 'restart' }
  /** From now on endpoints of webhooks answer this. */
  | { readonly do: 'endpoint'; readonly account: string; readonly status: number }
  /** The node's timers stand still for so many ms, as on a machine that sleeps, and nobody asks it; others go on. */
  | { readonly do: 'pause'; readonly ms: number }
  /** The clock of the node's machine is set: so many ms ahead of the database's, or behind. */
  | { readonly do: 'clock'; readonly ahead: number }
  /** Time passes, in ms. */
  | { readonly do: 'wait'; readonly ms: number };

export type Listed =
  | 'keys'
  | 'verifications'
  | 'members'
  | 'do-not-send/numbers'
  | 'webhooks'
  | 'guard/rules'
  | 'countries'
  | 'settings'
  | 'audit';
/** Which node a command is for, counted from 0, of those that share the store. */
export type Asked = Command & { readonly node?: number };

/**
 * What a carrier does: take the message, at once or after some seconds, or say of a call that it rang; refuse it for good, or for now; take it and
 * lose its answer; never answer.
 */
export type Conduct = 'accepted' | 'slow' | 'arrived' | 'refused' | 'failed for now' | 'answer lost' | 'hung';

/** Asked to take a message back: it did; it did unless the message is arriving just now; it was too late; it does not know, fails, or never answers. */
export type TakingBack = 'revoked' | 'unless arriving' | 'arrived' | 'unknown' | 'failed' | 'hung';

/**
 * The commit fails, and nothing was done; or it was done, and nobody hears; or the process ends before it, or right after.
 */
export type Fault = 'not committed' | 'committed unheard' | 'crash before' | 'crash after';
