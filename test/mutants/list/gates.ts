import type { Mutant } from '../mutant.ts';

export const GATES: readonly Mutant[] = [
  {
    breaks: 'the code is erased when no receipt follows',
    file: 'src/delivery/round.ts',
    from: 'const failover = others && answer.receiptFollows === true;',
    to: 'const failover = others;',
    tests: ['src/delivery/round.test.ts'],
  },
  {
    breaks: 'a message waits as long as its carrier asked',
    file: 'src/delivery/round.ts',
    from: 'wishedWait = Math.max(wishedWait, answer.retryAfterMs ?? 0);',
    to: 'wishedWait = Math.max(wishedWait, 0);',
    tests: ['src/delivery/round.test.ts'],
  },
  {
    breaks: 'an open breaker does not cut off what is already at the carrier',
    file: 'src/delivery/gate/waiting-line.ts',
    from: 'for (const cutoff of this.#underWay) if (cutoff.waiting) cutoff.end(reason);',
    to: 'for (const cutoff of this.#underWay) cutoff.end(reason);',
    tests: ['src/delivery/gate/waiting-line.test.ts', 'src/delivery/gate/gate-breaker.test.ts'],
  },
  {
    breaks: 'messages that share a reservation go one after the other',
    file: 'src/delivery/gate/pace.ts',
    from: 'resolve(first + place * spacing)',
    to: 'resolve(first + place * 0)',
    tests: ['src/delivery/gate/pace.test.ts'],
  },
  {
    breaks: "a busy telephone does not hide the operator's fault",
    file: 'src/delivery/health.ts',
    from: 'lastError: stands ? before : error',
    to: 'lastError: stands ? error : error',
    tests: ['src/delivery/health.test.ts'],
  },
  {
    breaks: 'no code of six digits is shown in a reason',
    file: 'src/delivery/reason.ts',
    from: '\\d){5,}/g',
    to: '\\d){6,}/g',
    tests: ['src/delivery/reason.test.ts'],
  },
  {
    breaks: 'the daily cap of a carrier is kept',
    file: 'src/delivery/gate/gates.ts',
    from: 'concurrency, cap: capOf(name) }',
    to: 'concurrency, cap: capOf(name) && undefined }',
    tests: ['src/delivery/gate/gates.test.ts'],
  },
];
