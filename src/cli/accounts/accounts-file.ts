/** The file that says what accounts there are to be (docs/accounts-as-code.md), and what is wrong with one. */
import { readFileSync } from 'node:fs';
import Type, { type Static } from 'typebox';
import { normalizeEmail } from '../../accounts/people.ts';
import { codeOf } from '../../config/file.ts';
import { parseYaml, type YamlText } from '../../config/yaml.ts';
import { isEmail } from '../../core/accounts/name.ts';
import { validatorOf } from '../../http/lazy-schemas.ts';
import { fieldErrors } from '../../http/validation.ts';
import { closed } from '../../operations/closed.ts';
import { Email, Instant, Name, Optional, Role } from '../../operations/contract.ts';
import { Restrictions } from '../../portal/keys/contract.ts';
import { Settings } from '../../portal/settings/contract.ts';
import { CommandFailure } from '../failure.ts';

/** What is left out stays as it is; of what is new, it is the default. */
const KeyEntry = Type.Object({
  test: Type.Optional(Type.Boolean()),
  expires_at: Type.Optional(Optional(Instant)),
  restrictions: Type.Optional(Type.Partial(Restrictions)),
  custom_codes: Type.Optional(Type.Boolean()),
});
export type KeyEntry = Static<typeof KeyEntry>;

const SettingsEntry = Type.Partial(Type.Omit(Settings, ['name']));
export type SettingsEntry = Static<typeof SettingsEntry>;

const AccountEntry = Type.Object({
  settings: Type.Optional(SettingsEntry),
  /** By the name of each. */
  keys: Type.Optional(Type.Record(Type.String(), KeyEntry)),
  /** The role of each address. */
  members: Type.Optional(Type.Record(Type.String(), Role)),
});
export type AccountEntry = Static<typeof AccountEntry>;

const Accounts = Type.Object({ accounts: Type.Record(Type.String(), AccountEntry) });
type Accounts = Static<typeof Accounts>;

/** Where something is wrong, and what is expected there. */
export interface FileProblem {
  readonly path: readonly string[];
  readonly detail: string;
}

export interface AccountsFile {
  readonly accounts: Readonly<Record<string, AccountEntry>>;
  /** All problems, each in a line that names file, line and field. Never repeats a value. */
  refuse(problems: readonly FileProblem[]): CommandFailure;
}

const validate = validatorOf(closed(Accounts));
const isName = validatorOf(Name);
const isAddress = validatorOf(Email);

/** @throws {CommandFailure} that lists every problem */
export function readAccountsFile(path: string): AccountsFile {
  return parseAccountsFile(readText(path), path);
}

export function parseAccountsFile(text: string, path: string): AccountsFile {
  const yaml = parseYaml(text);
  if (yaml.faults.length > 0) {
    const words = yaml.faults.map(
      ({ fault, fix, line, column }) => `${path}:${line}:${column}: not valid YAML (${fault}); ${fix}`,
    );
    throw new CommandFailure(words.join('\n'));
  }
  const refuse = (problems: readonly FileProblem[]) =>
    new CommandFailure(problems.map((problem) => describe(problem, path, yaml)).join('\n'));
  const value = yaml.value;
  if (!isAccounts(value)) throw refuse(problemsOf(value));
  const misnamed = nameProblems(value);
  if (misnamed.length > 0) throw refuse(misnamed);
  return { accounts: value.accounts, refuse };
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    const code = codeOf(error);
    if (code === undefined) throw error;
    throw new CommandFailure(`${path} cannot be read (${code}); name a readable YAML file`);
  }
}

const isAccounts = (value: unknown): value is Accounts => validate(value) === true;

/** By what the portal's operations say of such a field. */
function problemsOf(value: unknown): FileProblem[] {
  if (value === undefined)
    return [{ path: [], detail: 'is empty; expected accounts: and what belongs to them' }];
  const faults = validate.errors ?? [];
  // What is not known first: it may be why something is missing.
  const isUnknown = (fault: (typeof faults)[number]) => fault.keyword === 'additionalProperties';
  const inOrder = [...faults.filter(isUnknown), ...faults.filter((fault) => !isUnknown(fault))];
  return inOrder.flatMap((fault) =>
    fieldErrors([fault]).map(({ detail }) => {
      const { missingProperty, additionalProperty } = fault.params;
      const member = missingProperty ?? additionalProperty;
      const path = [...pathOf(fault.instancePath), ...(member === undefined ? [] : [String(member)])];
      return { path, detail: detail.replace('a JSON object', 'a group of names') };
    }),
  );
}

/** A JSON pointer (RFC 6901). */
const pathOf = (pointer: string): string[] =>
  pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));

/** What names an account, a key or a person is a name of YAML, and has rules of its own. */
function nameProblems({ accounts }: Accounts): FileProblem[] {
  return Object.entries(accounts).flatMap(([account, { keys = {}, members = {} }]) => [
    ...(isName(account) === true ? [] : [{ path: ['accounts', account], detail: NAME }]),
    ...Object.keys(keys).flatMap((key) =>
      isName(key) === true ? [] : [{ path: ['accounts', account, 'keys', key], detail: NAME }],
    ),
    ...memberProblems(['accounts', account, 'members'], Object.keys(members)),
  ]);
}

function memberProblems(at: readonly string[], emails: readonly string[]): FileProblem[] {
  const first = new Set<string>();
  return emails.flatMap((email) => {
    const path = [...at, email];
    if (isAddress(email) !== true || !isEmail(email)) return [{ path, detail: ADDRESS }];
    if (first.has(normalizeEmail(email))) return [{ path, detail: 'is there twice, in another spelling' }];
    first.add(normalizeEmail(email));
    return [];
  });
}

const NAME = 'must be a name of 1 to 80 characters, without control or invisible ones';
const ADDRESS = 'must be an address such as name@example.com';

function describe({ path, detail }: FileProblem, file: string, yaml: YamlText): string {
  const line = lineOf(path, yaml);
  // What is unseen must not reach the terminal.
  const field = path.join('.').replaceAll(/\p{C}/gu, '?');
  return [line === undefined ? file : `${file}:${line}`, ...(field === '' ? [] : [field]), detail].join(': ');
}

/** Of what is missing, the line of what it is missing in. Entries of lists have numbers. */
function lineOf(path: readonly string[], yaml: YamlText): number | undefined {
  for (let length = path.length; length > 0; length--) {
    const part = path.slice(0, length);
    const line = yaml.lineOf(part) ?? yaml.lineOf([...part.slice(0, -1), Number(part.at(-1))]);
    if (line !== undefined) return line;
  }
  return undefined;
}
