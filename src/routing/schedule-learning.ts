import type { Clock } from '../core/clock.ts';
import { describeError } from '../core/error-facts.ts';
import type { Quality } from './quality.ts';

const EVERY_MS = 1_000;

/** Told of what could not be learnt. */
export type LearningLog = (message: string, fields: Record<string, unknown>) => void;

/** Has it learn each second, the first time at once, until disposed of. While the store is away, what was learnt stays. */
export function scheduleLearning(
  quality: Pick<Quality, 'learn'>,
  now: Clock['now'],
  log: LearningLog,
): Disposable {
  let timer: NodeJS.Timeout | undefined;
  const run = async () => {
    try {
      await quality.learn(now());
    } catch (error) {
      log('quality routing goes by what it knew', { error: describeError(error) });
    }
    if (timer !== undefined) timer = setTimeout(run, EVERY_MS);
  };
  timer = setTimeout(run, 0);
  return {
    [Symbol.dispose]() {
      clearTimeout(timer);
      timer = undefined;
    },
  };
}
