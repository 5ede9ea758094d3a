import { describeError } from '../core/errors/error-facts.ts';
import type { Clock } from '../core/seams/clock.ts';
import { repeat } from '../core/seams/repeat.ts';
import type { Quality } from './quality.ts';

const EVERY_MS = 1_000;

/** Told of what could not be learnt. */
export type LearningLog = (message: string, fields: Record<string, unknown>) => void;

/** Has it learn each second, the first time at once, until disposed of. While the store is away, what was learnt stays. */
export function scheduleLearning(
  quality: Pick<Quality, 'learn'>,
  clock: Clock,
  log: LearningLog,
): Disposable {
  const learn = async () => {
    await quality.learn(clock.now());
    return EVERY_MS;
  };
  return repeat(clock, 0, learn, (error) => {
    log('quality routing goes by what it knew', { error: describeError(error) });
    return EVERY_MS;
  });
}
