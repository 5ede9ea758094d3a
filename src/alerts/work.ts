/** What the node does that holds the lease: it looks, and brings what is due to its places. Loaded by the first look. */
import { auditAlerts } from '../accounts/alerts/change.ts';
import { query, type Records } from '../core/sql/records.ts';
import { evaluate } from './evaluation.ts';
import { LeaderLease } from './leader-lease.ts';
import type { AlertService, AlertsParts } from './parts.ts';
import { CountedTraffic } from './watch/counted.ts';
import { watchBudgets, watchGuard } from './watch/guarded.ts';
import { watchOwners, watchSignIns } from './watch/people.ts';
import { createCertificateWatch, createQueueWatch, watchCarriers } from './watch/service.ts';
import { createConversionWatch, createSpendWatch } from './watch/traffic.ts';

/** A node that died is followed after this at most. */
const [SHORTEST_LEASE_MS, LEASES] = [40_000, 3];
const SOON_MS = 1_000;

export interface AlertWork extends Pick<AlertService, 'tryOut'> {
  /** Begins nothing more. */
  stop(): void;
  /** Once nothing is under way: another node may go on. */
  release(): Promise<void>;
  /** Answers after how many ms to look again. */
  look(): Promise<number>;
}

export function createWork(
  { config, everyMs: every, keyring, clock, random, store, transport, log }: AlertsParts,
  inForce: AlertService['inForce'],
): AlertWork {
  const { alerts, smtp, webhooks } = config;
  const { email, webhook } = alerts;
  const address = config.publicUrl?.replace(/\/$/, '');
  // A process that has its store for itself takes over from the one before.
  const node = store.isShared ? random.uuid() : 'the only one';
  const leaderLease = new LeaderLease({
    records: store,
    clock,
    node,
    lease: Math.max(SHORTEST_LEASE_MS, LEASES * every),
  });
  const traffic = new CountedTraffic();
  const looking = {
    ...{ records: store, leaderLease, inForce, log: log.note },
    own: { email, hasWebhook: webhook !== undefined, accounts: alerts.accounts },
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
  const closing = new DisposableStack();

  async function loadCourier() {
    const [{ Notifier }, { createMail }] = await Promise.all([import('./notifier.ts'), import('./mail.ts')]);
    const mail =
      smtp === undefined ? undefined : closing.adopt(createMail(clock, smtp), (opened) => opened.close());
    const { privateNetworks } = webhooks;
    return new Notifier({
      ...{ records: store, keyring, clock, leaderLease, mail, webhook, privateNetworks, address },
      ...{ log: log.note, random: random.fraction },
    });
  }
  let notifier: ReturnType<typeof loadCourier> | undefined;
  const getCourier = () => {
    notifier ??= loadCourier();
    return notifier;
  };

  /** Steady time. */
  let nextLook = 0;

  return {
    async look() {
      if (!(await leaderLease.take())) return every;
      const now = clock.steady();
      if (now >= nextLook) {
        nextLook = now + every;
        await evaluate(looking, clock.now());
      }
      const next = (await isAnythingDue(store)) ? await (await getCourier()).pass() : undefined;
      const untilNext = next === undefined ? every : Math.max(SOON_MS, next - clock.now());
      return Math.max(0, Math.min(nextLook - clock.steady(), untilNext));
    },
    async tryOut(records, place, change) {
      const [{ tryOut }, opened] = await Promise.all([import('./try-out.ts'), getCourier()]);
      const entry = auditAlerts(records, 'alerts.tried-out', place.channel, change);
      return tryOut({ notifier: opened, clock, address }, records, place, { account: change.account, entry });
    },
    stop() {
      void notifier?.then((opened) => opened.stop());
      closing.dispose();
    },
    release: () => leaderLease.release(),
  };
}

async function isAnythingDue(records: Records): Promise<boolean> {
  const [row] = await query(records, 'SELECT 1 AS due FROM alert_notice WHERE due_at IS NOT NULL LIMIT 1');
  return row !== undefined;
}
