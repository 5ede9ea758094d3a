/** Looks at the rules once a minute, on one node, and tells people. What tells them is loaded when there is something to tell. */
import { randomUUID } from 'node:crypto';
import { type AlertChange, auditAlerts } from '../accounts/alerts/change.ts';
import { query, type Records } from '../core/accounts/records.ts';
import { RULE_NAMES, type RuleWishes } from '../core/alerts/rule.ts';
import type { Clock } from '../core/clock.ts';
import { describeError } from '../core/error-facts.ts';
import { repeat } from '../core/repeat.ts';
import type { Keyring } from '../core/secrets/keyring.ts';
import type { CarrierLog } from '../core/sending/carrier.ts';
import type { QueueAge } from '../core/sending/delivery.ts';
import { evaluate } from './evaluation.ts';
import type { SmtpOptions } from './mail.ts';
import type { Place } from './notices.ts';
import type { TriedOut } from './try-out.ts';
import { Turn } from './turn.ts';
import { CountedTraffic } from './watch/counted.ts';
import { watchBudgets, watchGuard } from './watch/guarded.ts';
import { watchOwners, watchSignIns } from './watch/people.ts';
import { createCertificateWatch, createQueueWatch, watchCarriers } from './watch/service.ts';
import { createConversionWatch, createSpendWatch } from './watch/traffic.ts';

interface AlertsConfig {
  readonly alerts: {
    readonly every: number;
    readonly email: readonly string[];
    readonly webhook?: { readonly url: string; readonly secret?: string | undefined } | undefined;
    readonly accounts: boolean;
    /** By the names of the options: `carrierDown`. */
    readonly rules: Readonly<Record<string, boolean | number | undefined>>;
  };
  readonly smtp?: SmtpOptions | undefined;
  readonly webhooks: { readonly privateNetworks: readonly string[] };
  readonly publicUrl?: string | undefined;
  readonly currency: string;
}

interface AlertsParts {
  readonly config: AlertsConfig;
  readonly keyring: Keyring;
  readonly clock: Clock;
  /** Only a store that several nodes may share says what each may send. */
  readonly store: Records & QueueAge & { readonly budget: unknown };
  /** With the file of the served certificate, if this process has one. */
  readonly transport: { readonly kind: string; readonly cert?: string };
  readonly log: { readonly note: CarrierLog };
}

/** What the portal needs of alerts besides the store. */
export interface Alerts {
  /** Whether mail can be sent. */
  readonly hasMail: boolean;
  /** How many places the configuration names. */
  readonly ownPlaces: number;
  /** What applies where an account decided nothing. */
  readonly wishes: RuleWishes;
  /** Sends a test to a place of an account, and writes who asked for it. */
  tryOut(
    records: Records,
    place: Place,
    change: AlertChange & { readonly account: string },
  ): Promise<TriedOut>;
}

interface RunningAlerts extends Alerts, AsyncDisposable {}

/** A node that died is followed after this at most. */
const [SHORTEST_LEASE_MS, LEASES] = [40_000, 3];
const SOON_MS = 1_000;
/** Not at once: a start has enough to do. */
const FIRST_MS = 10_000;

export function openAlerts({ config, keyring, clock, store, transport, log }: AlertsParts): RunningAlerts {
  const { alerts, smtp, webhooks } = config;
  const { every, email, webhook } = alerts;
  const wishes = wishesOf(alerts.rules);
  const address = config.publicUrl?.replace(/\/$/, '');
  // A process that has its store for itself takes over from the one before.
  const node = store.budget === undefined ? 'the only one' : randomUUID();
  const turn = new Turn({ records: store, clock, node, lease: Math.max(SHORTEST_LEASE_MS, LEASES * every) });
  const own = { email, hasWebhook: webhook !== undefined, accounts: alerts.accounts };
  const traffic = new CountedTraffic();
  const looking = {
    ...{ records: store, turn, wishes, own, log: log.note },
    sources: [
      [['conversion-fell'], createConversionWatch(traffic)],
      [['spend-high', 'spend-over'], createSpendWatch(traffic, config.currency)],
      [['carrier-down'], watchCarriers],
      [['queue-late'], createQueueWatch(store)],
      [['certificate-expires'], createCertificateWatch(transport.cert)],
      [['budget-reached'], watchBudgets],
      [['guard-acting'], watchGuard],
      [['sign-ins-failed'], watchSignIns],
      [['owner-new', 'factor-removed'], watchOwners],
    ] as const,
  };

  async function loadCourier() {
    const [{ Courier }, { createMail }] = await Promise.all([import('./courier.ts'), import('./mail.ts')]);
    const mail = smtp === undefined ? undefined : closing.adopt(createMail(smtp), (opened) => opened.close());
    const { privateNetworks } = webhooks;
    return new Courier({
      ...{ records: store, keyring, clock, turn, mail, webhook, privateNetworks, address },
      ...{ log: log.note, random: Math.random },
    });
  }
  const closing = new DisposableStack();
  let courier: ReturnType<typeof loadCourier> | undefined;
  const getCourier = () => {
    courier ??= loadCourier();
    return courier;
  };

  /** Steady time of the next look. */
  let nextLook = 0;
  let working = Promise.resolve(every);
  let stopped = false;

  async function work(): Promise<number> {
    if (stopped || !(await turn.take())) return every;
    const now = clock.steady();
    if (now >= nextLook) {
      nextLook = now + every;
      await evaluate(looking, clock.now());
    }
    const next = (await isAnythingDue(store)) ? await (await getCourier()).pass() : undefined;
    const untilLook = nextLook - clock.steady();
    const untilNext = next === undefined ? every : Math.max(SOON_MS, next - clock.now());
    return Math.max(0, Math.min(untilLook, untilNext));
  }

  const timer = repeat(Math.min(every, FIRST_MS), () => {
    working = work().catch((error: unknown) => {
      log.note('warn', 'alerts postponed', { error: describeError(error) });
      return every;
    });
    return working;
  });

  return {
    hasMail: smtp !== undefined,
    ownPlaces: email.length + Number(webhook !== undefined),
    wishes,
    async tryOut(records, place, change) {
      const [{ tryOut }, opened] = await Promise.all([import('./try-out.ts'), getCourier()]);
      const entry = auditAlerts('alerts.tried-out', place.channel, change);
      return tryOut({ courier: opened, clock, address }, records, place, { account: change.account, entry });
    },
    async [Symbol.asyncDispose]() {
      stopped = true;
      timer[Symbol.dispose]();
      await working;
      await turn.release().catch(() => {});
      closing.dispose();
    },
  };
}

async function isAnythingDue(records: Records): Promise<boolean> {
  const [row] = await query(records, 'SELECT 1 AS due FROM alert_notice WHERE due_at IS NOT NULL LIMIT 1');
  return row !== undefined;
}

/** A number is a threshold; it also switches the rule on. */
function wishesOf(options: AlertsConfig['alerts']['rules']): RuleWishes {
  return Object.fromEntries(
    RULE_NAMES.flatMap((name) => {
      const option = options[name.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase())];
      if (option === undefined) return [];
      return [[name, typeof option === 'boolean' ? { on: option } : { on: true, threshold: option }]];
    }),
  );
}
