/** What the sweep writes again under a new secret, before the one of before is gone. */
import type { Mutant } from '../mutant.ts';

export const ROTATION: readonly Mutant[] = [
  {
    breaks: 'numbers are hashed again',
    file: 'src/portal/sweep.ts',
    from: 'await rehashNumbers({ records, keyring });',
    to: '{ hashed: 0, lost: 0 };',
    tests: ['test/portal/rotation.test.ts'],
  },
  {
    breaks: 'rules are hashed again',
    file: 'src/portal/sweep.ts',
    from: 'await rehashGuardRules({ records, keyring });',
    to: '{ hashed: 0, lost: 0 };',
    tests: ['test/portal/rotation.test.ts'],
  },
  {
    breaks: 'webhooks are sealed again',
    file: 'src/portal/sweep.ts',
    from: 'await resealWebhooks(records, keyring);',
    to: '{ sealed: 0, lost: 0 };',
    tests: ['test/portal/rotation.test.ts'],
  },
  {
    breaks: 'alert webhooks are sealed again',
    file: 'src/portal/sweep.ts',
    from: 'await resealAlertWebhooks(records, keyring);',
    to: '{ sealed: 0, lost: 0 };',
    tests: ['test/portal/rotation.test.ts'],
  },
];
