/** Looks at the rules once a minute, on one node, and tells people. Nothing of it is loaded before the first look. */
import { RULE_NAMES, type RuleWishes } from '../core/alerts/rule.ts';
import { describeError } from '../core/error-facts.ts';
import { repeat } from '../core/repeat.ts';
import type { Alerts, AlertsParts } from './parts.ts';
import type { AlertWork } from './work.ts';

interface RunningAlerts extends Alerts, AsyncDisposable {}

/** Not at once: a start has enough to do. */
const FIRST_MS = 10_000;
const STOP_GRACE_MS = 5_000;

export function openAlerts(parts: AlertsParts): RunningAlerts {
  const { config, everyMs: every, clock, log } = parts;
  const { email, webhook, accounts, rules } = config.alerts;
  const wishes = wishesOf(rules);
  const ownPlaces = email.length + Number(webhook !== undefined);
  let loading: Promise<AlertWork> | undefined;
  const load = () => {
    loading ??= import('./work.ts').then(({ createWork }) => createWork(parts, wishes));
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
    wishes,
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

/** A number is a threshold; it also switches the rule on. */
function wishesOf(options: AlertsParts['config']['alerts']['rules']): RuleWishes {
  return Object.fromEntries(
    RULE_NAMES.flatMap((name) => {
      const option = options[name.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase())];
      if (option === undefined) return [];
      return [[name, typeof option === 'boolean' ? { on: option } : { on: true, threshold: option }]];
    }),
  );
}
