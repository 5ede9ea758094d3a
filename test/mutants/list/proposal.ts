import type { Mutant } from '../mutant.ts';

const FORM = ['test/portal/compose.test.ts'];

export const PROPOSAL: readonly Mutant[] = [
  {
    breaks: 'a new carrier takes no name that is there',
    file: 'portal/src/pages/carriers/compose/proposal.ts',
    from: 'return isTaken(name) ? [{',
    to: "return isTaken(name) && name === '' ? [{",
    tests: FORM,
  },
  {
    breaks: 'owners of other accounts learn nothing of the configuration',
    file: 'src/portal/configuration/configuration-reader.ts',
    from: '(await query(records, FIRST))[0]?.id === accountId',
    to: "(await query(records, FIRST)).length > 0 && accountId !== ''",
    tests: ['test/portal/configuration.test.ts'],
  },
  {
    breaks: 'a fallback that cannot happen is warned of',
    file: 'src/proposal/warnings.ts',
    from: '    ...warnOfFallbacks(config),\n',
    to: '',
    tests: ['src/proposal/fallback-warnings.test.ts'],
  },
];
