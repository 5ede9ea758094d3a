import type { Mutant } from '../mutant.ts';

const FLEET = ['src/reload/fleet.test.ts'];
const RELOAD = ['test/reload/reload.test.ts'];

export const RELOADS: readonly Mutant[] = [
  {
    breaks: 'what needs a restart is refused',
    file: 'src/reload/index.ts',
    from: 'const fixed = changes.filter(({ live }) => !live);',
    to: 'const fixed = changes.filter(() => false);',
    tests: RELOAD,
  },
  {
    breaks: 'a carrier outlives the rounds of all generations that it was in',
    file: 'src/reload/index.ts',
    from: 'Promise.all([this.#drained, before.rounds.drained])',
    to: 'Promise.all([before.rounds.drained])',
    tests: RELOAD,
  },
  {
    breaks: 'an unchanged carrier goes on',
    file: 'src/reload/fleet.ts',
    from: 'return wanted !== undefined && isDeepStrictEqual(before, after);',
    to: 'return false && isDeepStrictEqual(before, after);',
    tests: FLEET,
  },
  {
    breaks: 'a changed carrier is replaced',
    file: 'src/reload/fleet.ts',
    from: 'return wanted !== undefined && isDeepStrictEqual(before, after);',
    to: 'return wanted !== undefined;',
    tests: FLEET,
  },
  {
    breaks: 'a carrier stops after the last round that may ask it',
    file: 'src/reload/rounds.ts',
    from: 'if (this.#superseded && this.#underWay === 0)',
    to: 'if (this.#superseded)',
    tests: FLEET,
  },
  {
    breaks: 'who makes way for a new link goes at once',
    file: 'src/reload/fleet.ts',
    from: 'if (link !== undefined && successor !== undefined && isDown(successor.carrier)) return true;',
    to: '',
    tests: FLEET,
  },
  {
    breaks: 'of those that run out under one name one stays',
    file: 'src/reload/fleet.ts',
    from: 'return (successor === undefined ? current : latest) !== member.carrier;',
    to: 'return (successor === undefined ? current : latest) === undefined;',
    tests: FLEET,
  },
  {
    breaks: 'who is replaced says nothing of the health of its successor',
    file: 'src/reload/fleet.ts',
    from: '        heard = false;',
    to: '',
    tests: FLEET,
  },
  {
    breaks: 'the same cap goes on over a reload',
    file: 'src/core/sending/daily-caps.ts',
    from: 'before.find((cap) => cap.isSame({ name, max })) ?? new DailyCap(quotas, name, max, clock)',
    to: 'new DailyCap(quotas, name, max, clock)',
    tests: ['src/core/sending/daily-caps.test.ts'],
  },
  {
    breaks: 'only its user opens the door',
    file: 'src/cli/desk.ts',
    from: "if (process.platform !== 'win32') await chmod(door, 0o600);",
    to: '',
    tests: RELOAD,
  },
  {
    breaks: 'the bound on explanations',
    file: 'src/portal/routing/pace.ts',
    from: 'if (current.count >= this.#most) return',
    to: 'if (current.count < 0) return',
    tests: ['test/portal/carriers.test.ts'],
  },
  {
    breaks: 'other prices in the file of prices are a change',
    file: 'src/config/changes.ts',
    from: 'if (isNamed || isDeepStrictEqual(rowsBefore, rowsAfter)) return changes;',
    to: 'if (isNamed || rowsBefore.length > 0) return changes;',
    tests: ['src/config/changes.test.ts'],
  },
  {
    breaks: 'a carrier runs out in peace while another has no link',
    file: 'src/reload/fleet.ts',
    from: 'successor !== undefined && isDown(successor.carrier)',
    to: '[...this.#members.values()].some((each) => isDown(each.carrier))',
    tests: ['src/reload/fleet.test.ts'],
  },
  {
    breaks: 'the links of all new carriers are waited for',
    file: 'src/reload/fleet.ts',
    from: 'fresh.some(({ carrier }) => isDown(carrier))',
    to: 'fresh.every(({ carrier }) => isDown(carrier))',
    tests: ['src/reload/fleet.test.ts'],
  },
];
