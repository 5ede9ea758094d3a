import type { Mutant } from '../mutant.ts';

const CHECK = ['src/proposal/check.test.ts'];
const FORM = ['test/portal/compose.test.ts'];

export const PROPOSAL: readonly Mutant[] = [
  {
    breaks: 'files that a proposal names are not opened',
    file: 'src/proposal/stand-ins.ts',
    from: "if (notes.file === 'at-start') delete group[name];",
    to: '',
    tests: CHECK,
    named: 'no file opened',
  },
  {
    breaks: 'the file of a secret in a proposal is not opened',
    file: 'src/proposal/check.ts',
    from: 'readSecret: (_, key) => stood.contents.get(formatKey(key)),',
    to: "readSecret: (path) => process.getBuiltinModule('fs').readFileSync(path, 'utf8'),",
    tests: CHECK,
    named: 'no file opened',
  },
  {
    breaks: 'a secret in a proposal is refused',
    file: 'src/proposal/stand-ins.ts',
    from: 'if (!isAddress(secret)) exposed.push([...at, name]);',
    to: '',
    tests: CHECK,
  },
  {
    breaks: 'a proposal has no aliases',
    file: 'src/config/file.ts',
    from: "if (aliases === 'refused') faults.push",
    to: "if (aliases !== 'followed' && offset < 0) faults.push",
    tests: CHECK,
  },
  {
    breaks: 'a proposal takes no name that is there',
    file: 'src/proposal/check.ts',
    from: 'if (!Object.hasOwn(known, name) || !isNamed) continue;',
    to: 'if (!isNamed || name.length > 0) continue;',
    tests: CHECK,
  },
  {
    breaks: 'what may hold a secret is sent without it',
    file: 'portal/src/pages/carriers/compose/entry.ts',
    from: 'sent: [{ name, value: field.stays ? redact(value) : value }],',
    to: 'sent: [{ name, value }],',
    tests: FORM,
  },
  {
    breaks: 'a secret in another field is not sent',
    file: 'portal/src/pages/carriers/compose/entry.ts',
    from: "if (!field.stays && field.kind !== 'choice' && looksSecret(text) && !fits(field, text)) {",
    to: "if (!field.stays && field.kind !== 'choice' && text === '') {",
    tests: FORM,
  },
  {
    breaks: 'owners of other accounts learn nothing of the configuration',
    file: 'src/portal/configuration/desk.ts',
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
