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
    breaks: 'no value of a new carrier takes the place of another of the same name',
    file: 'portal/src/pages/carriers/compose/rows.ts',
    from: 'names.indexOf(name) < row',
    to: 'names.indexOf(name) > row',
    tests: ['portal/src/pages/carriers/compose/rows.test.ts'],
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
  {
    breaks: 'a sender for all countries is taken to be registered in none',
    file: 'src/proposal/sender-warnings.ts',
    from: "isOwn ? [] : rules.filter(({ names }) => names === 'registered')",
    to: "rules.filter(({ names }) => names === 'registered' && isOwn)",
    tests: ['src/proposal/sender-warnings.test.ts'],
  },
  {
    breaks: 'a number that must be registered is warned of',
    file: 'src/proposal/sender-warnings.ts',
    from: "isOwn ? [] : having('registered')",
    to: "isOwn ? having('registered') : []",
    tests: ['src/proposal/sender-warnings.test.ts'],
  },
  {
    breaks: 'a name with # is warned of outside of Hong Kong',
    file: 'src/proposal/sender-warnings.ts',
    from: 'countries.some((country) => country !== MARKED)',
    to: 'countries.every((country) => country === MARKED)',
    tests: ['src/proposal/sender-warnings.test.ts'],
  },
  {
    breaks: 'a short code is no number of a country',
    file: 'src/core/countries/sender-fault.ts',
    from: 'digitsOf(sender).length >= LEAST_DIGITS',
    to: 'digitsOf(sender).length > 0',
    tests: ['src/proposal/sender-warnings.test.ts'],
  },
  {
    breaks: 'general words are refused only if there is nothing else',
    file: 'src/core/countries/sender-fault.ts',
    from: 'every((word) => words.includes(word))',
    to: 'some((word) => words.includes(word))',
    tests: ['src/core/countries/sender-fault.test.ts'],
  },
  {
    breaks: 'what the sources do not agree about is marked in warnings',
    file: 'src/core/countries/describe.ts',
    from: "unsure === undefined ? [] : ['unsure']",
    to: "unsure === undefined || since === undefined ? [] : ['unsure']",
    tests: ['src/proposal/sender-warnings.test.ts'],
  },
  {
    breaks: 'texts without the brand are warned of where networks want it',
    file: 'src/proposal/text-warnings.ts',
    from: '.filter(({ brandInText }) => brandInText)',
    to: '.filter(({ links }) => links)',
    tests: ['src/proposal/text-warnings.test.ts'],
  },
  {
    breaks: 'texts that only the simulator gets are not looked at',
    file: 'src/proposal/text-warnings.ts',
    from: 'carriers[name]?.type !== SIMULATOR',
    to: "carriers[name]?.type !== ''",
    tests: ['src/proposal/text-warnings.test.ts'],
  },
  {
    breaks: 'SMS have no domain where links are blocked',
    file: 'src/core/message/message.ts',
    from: ' && !webOtpExcept.includes(facts.country)',
    to: '',
    tests: ['src/core/message/message.test.ts'],
  },
  {
    breaks: 'a registered text is registered with its link',
    file: 'src/proposal/text-warnings.ts',
    from: 'links !== undefined && messages.registered?.[country] === undefined',
    to: 'links !== undefined',
    tests: ['src/proposal/text-warnings.test.ts'],
  },
];
