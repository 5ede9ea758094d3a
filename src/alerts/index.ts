/** Looks at the rules once a minute, on one node, and tells people. Nothing of it is loaded before the first look. */
import { inForce, type RuleName } from '../core/alerts/rule.ts';
import { describeError } from '../core/errors/error-facts.ts';
import { repeat } from '../core/seams/repeat.ts';
import type { AlertService, AlertsParts } from './parts.ts';
import type { AlertWork } from './work.ts';

interface RunningAlerts extends AlertService, AsyncDisposable {}

/** Not at once: a start has enough to do. */
const FIRST_MS = 10_000;
const STOP_GRACE_MS = 5_000;

export function openAlerts(parts: AlertsParts): RunningAlerts {
  const { config, everyMs: every, clock, log } = parts;
  const { email, webhook, accounts, rules } = config.alerts;
  const ruleInForce = (rule: RuleName) => inForce(rule, rules[optionOf(rule)]);
  const ownPlaces = email.length + Number(webhook !== undefined);
  let loading: Promise<AlertWork> | undefined;
  const load = () => {
    loading ??= import('./work.ts').then(({ createWork }) => createWork(parts, ruleInForce));
    return loading;
  };

  let working = Promise.resolve(every);
  const look = () => {
    working = load().then((work) => work.look());
    return working;
  };
  const timer = repeat(clock, Math.min(every, FIRST_MS), look, (error) => {
    log.note('warn', 'alerts postponed', { error: describeError(error) });
    return every;
  });

  return {
    hasMail: config.smtp !== undefined,
    ownPlaces,
    ownPlacesForAccounts: accounts ? ownPlaces : 0,
    inForce: ruleInForce,
    tryOut: async (...asked) => (await load()).tryOut(...asked),
    async [Symbol.asyncDispose]() {
      timer[Symbol.dispose]();
      const work = await loading;
      work?.stop();
      // What is not back by then is left to the lease, and sent again.
      const { promise: late, resolve } = Promise.withResolvers<boolean>();
      using _ = clock.after(STOP_GRACE_MS, () => resolve(false)).unref();
      const over = working.then(
        () => true,
        () => true,
      );
      const isOver = await Promise.race([over, late]);
      if (isOver) await work?.release().catch(() => {});
    },
  };
}

/** The name of its option: `carrierDown`. */
const optionOf = (rule: RuleName): string =>
  rule.replaceAll(/-(\w)/g, (_, notification: string) => notification.toUpperCase());
