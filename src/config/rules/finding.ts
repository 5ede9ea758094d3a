import type { RuleFinding } from '../problem.ts';

/**
 * What code outside of the configuration found wrong with options that are each acceptable: `option: what is wrong; what to do`, where
 * the last may be missing.
 */
export function findingOf(at: RuleFinding['key'], fault: string): RuleFinding {
  const [, option = '', wrong = '', fix = 'correct it'] = /^(.*?): (.*?)(?:; (.*))?$/s.exec(fault) ?? [];
  // A number is a place in a list.
  const path = option.split('.').map((part) => (/^\d+$/.test(part) ? Number(part) : part));
  return { key: [...at, ...path], wrong, fix };
}
