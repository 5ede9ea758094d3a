/**
 * The commands, their options and what each is for. A command's code is loaded when it runs, so that the service does not wait for
 * code that it does not use.
 */

import { Command, Option } from 'commander';
import { DEFAULT_ACCOUNT } from '../core/accounts/default-account.ts';
import { CHANNEL_NAMES } from '../core/destination/channel.ts';
import { VERSION } from '../version.ts';
import { addAccountCommands } from './accounts/commands.ts';
import { addAlertCommands } from './alerts/commands.ts';
import { addWebhookCommands } from './webhooks/commands.ts';

/** A new one for each run: Commander keeps in it what it has parsed. */
export function createProgram(): Command {
  const program = new Command('countersign')
    .description('Self-hosted phone verification.')
    .version(VERSION, '--version', 'print the version')
    .exitOverride()
    .showHelpAfterError('(see --help)');

  program
    .command('serve')
    .description('run the service')
    .action(async () => (await import('./serve.ts')).runService());

  program
    .command('demo')
    .description(
      'run the service with a week of invented traffic, in a folder that is taken away at the end; sends nothing',
    )
    .option('--port <port>', 'by default a free one')
    .action(async (options) => (await import('./demo.ts')).runDemo(options));

  program
    .command('precompile')
    .description('compile the service before its first start; `npm ci` runs this')
    .action(async () => (await import('./precompile.ts')).precompile());

  const keys = program.command('keys').description('create, list and revoke API keys');

  keys
    .command('create')
    .description('create a key and print only the key; it is not shown again')
    .requiredOption('--name <name>', 'what the key is for')
    .option(
      '--account <name>',
      `account of the key, created if it is new; without it, the account ${DEFAULT_ACCOUNT}`,
    )
    .option('--test', 'create a test key, which reaches only the simulator')
    .option('--custom-codes', 'requests with it may bring codes of their own')
    .option('--init', 'create the store if there is none, as the first start of the service does')
    .action(async (options) => (await import('./keys.ts')).createKey(options));

  keys
    .command('generate')
    .description('print a key that no store knows yet, to be set as `bootstrap.key` of a new service')
    .option('--test', 'a test key, which reaches only the simulator')
    .action(async (options) => (await import('./keys.ts')).generateKey(options));

  keys
    .command('list')
    .description('list all keys, oldest first')
    .option('--json', 'as JSON')
    .action(async (options) => (await import('./keys.ts')).listKeys(options));

  keys
    .command('revoke')
    .description('revoke a key; takes effect within a second')
    .argument('<key>', 'its id or its prefix, as `keys list` shows them')
    .action(async (key) => (await import('./keys.ts')).revokeKey(key));

  addAccountCommands(program);

  const block = program.command('block').description('say which numbers an account sends nothing to');

  block
    .command('add')
    .description('put numbers or ranges on the do-not-send list')
    .argument('[entries...]', 'such as +14155550123; by default the lines of standard input')
    .option('--range', 'they are ranges: the beginnings of numbers, such as +88213')
    .option('--account <name>', 'whose list', DEFAULT_ACCOUNT)
    .action(async (entries, options) => (await import('./block/block.ts')).addBlocked(entries, options));

  block
    .command('remove')
    .description('take a number or a range off the do-not-send list')
    .argument('<entry>', 'such as +14155550123')
    .option('--range', 'it is a range')
    .option('--account <name>', 'whose list', DEFAULT_ACCOUNT)
    .action(async (entry, options) => (await import('./block/block.ts')).removeBlocked(entry, options));

  block
    .command('list')
    .description('list ranges, and numbers masked, newest first')
    .option('--account <name>', 'whose list', DEFAULT_ACCOUNT)
    .option('--json', 'as JSON')
    .action(async (options) => (await import('./block/block.ts')).listBlocked(options));

  block
    .command('export')
    .description('print the lists of all accounts, with numbers in full, one entry of JSON on each line')
    .action(async () => (await import('./block/carry-over.ts')).exportLists());

  block
    .command('import')
    .description('add what `export` printed, from standard input, to the lists of the same accounts')
    .action(async () => (await import('./block/carry-over.ts')).importLists());

  const portal = program.command('portal').description('give people access to the web portal');

  portal
    .command('invite')
    .description('print a link for joining an account; it works once, for three days')
    .requiredOption('--email <address>', 'who is invited')
    .option('--role <role>', 'owner, developer or viewer', 'owner')
    .option('--account <name>', 'the account to join', DEFAULT_ACCOUNT)
    .action(async (options) => (await import('./portal.ts')).inviteMember(options));

  portal
    .command('reset')
    .description('print a link for somebody who is locked out; it works once, for an hour')
    .requiredOption('--email <address>', 'who is locked out')
    .action(async (options) => (await import('./portal.ts')).resetPerson(options));

  const audit = program.command('audit').description('verify and export audit logs');

  audit
    .command('verify')
    .description('tell whether audit logs are as they were written; fails if not')
    .option('--account <name>', 'of one account only')
    .option(
      '--expect <entry>',
      'an entry that must still be there, as noted before: its number, hash and time',
    )
    .option('--file <file>', 'an audit log exported as JSON, instead of the store')
    .option('--json', 'as JSON')
    .action(async (options) => (await import('./audit/verify.ts')).verifyAudit(options));

  audit
    .command('export')
    .description('print the audit log of an account, oldest entry first')
    .requiredOption('--account <name>', 'whose log')
    .option('--format <format>', 'csv or json', 'json')
    .option('--from <time>', 'entries since then, such as 2026-11-01T00:00:00Z')
    .option('--to <time>', 'entries before then')
    .action(async (options) => (await import('./audit/export.ts')).exportAudit(options));

  const numbers = program.command('numbers').description('answer a person who asks about their number');

  numbers
    .command('export')
    .description('print, as JSON, everything that is held about a number')
    .requiredOption('--destination <number>', 'a number such as +14155550123')
    .option('--account <name>', 'in one account only')
    .action(async (options) => (await import('./numbers.ts')).exportNumber(options));

  numbers
    .command('erase')
    .description('erase everything that is held about a number; it cannot be undone')
    .requiredOption('--destination <number>', 'a number such as +14155550123')
    .option('--account <name>', 'in one account only')
    .option('--also-do-not-send', 'take it off the do-not-send lists, too: it is sent to again')
    .action(async (options) => (await import('./numbers.ts')).eraseNumber(options));

  const config = program.command('config').description('inspect the configuration');

  config
    .command('check')
    .description('check the configuration and say what is wrong with it')
    .option('--json', 'what is wrong and what is only warned of, as JSON')
    .action(async (options) => (await import('./config.ts')).checkConfig(options));

  config
    .command('reload')
    .description('have the running service read the configuration again, and say what it took')
    .option('--json', 'as JSON')
    .action(async (options) => (await import('./reload.ts')).reloadConfig(options));

  config
    .command('show')
    .description('print the configuration in effect, without secrets')
    .option('--json', 'as JSON')
    .action(async (options) => (await import('./config.ts')).showConfig(options));

  config
    .command('docs')
    .description('print the reference of all options')
    .action(async () => (await import('./config.ts')).printReference());

  config
    .command('schema')
    .description('print the JSON Schema for editors')
    .action(async () => (await import('./config.ts')).printSchema());

  const route = program.command('route').description('inspect the routes');

  route
    .command('explain')
    .description('say how a message would be sent, why, and what it costs; sends nothing')
    .argument('<destination>', 'a telephone number such as +14155550123')
    .addOption(new Option('--channel <channel>', 'how to send it').choices(CHANNEL_NAMES).default('sms'))
    .option('--json', 'as JSON')
    .action(async (destination, options) => (await import('./route.ts')).printRoute(destination, options));

  program
    .command('countries')
    .description('say what each country asks of the senders and texts of SMS')
    .argument('[codes...]', 'such as AU ES, with the sources; by default all, as a table')
    .action(async (codes) => (await import('./countries.ts')).printCountries(codes));

  const guard = program
    .command('guard')
    .description('make rules that beat the guard, ask it why, and try it on recorded traffic');

  for (const [action, description] of [
    ['allow', 'send whatever the guard thinks of it'],
    ['deny', 'send nothing'],
    ['pause', 'send nothing for a while'],
  ] as const) {
    guard
      .command(action)
      .description(`${description}; takes effect within a second, and prints the id of the rule`)
      .option('--range <beginning>', 'numbers that begin so, such as +9989939')
      .option('--number <number>', 'a number such as +14155550123')
      .option('--country <code>', 'numbers of a country, such as BR')
      .option('--account <name>', 'everything that an account asks for')
      .option('--key <key>', 'everything that an API key asks for, by its id or prefix')
      .option('--address <ip>', 'everything that is asked for from the address of a person’s device')
      .option('--in-account <name>', 'only for the requests of one account')
      .option('--for <duration>', 'how long, such as 2h')
      .option('--until <time>', 'when it ends, such as 2026-11-01T00:00:00Z; by default never')
      .requiredOption('--reason <text>', 'why, for the audit log')
      .action(async (options) => (await import('./guard/rules.ts')).addRule(action, options));
  }

  guard
    .command('rules')
    .description('list the rules in force, newest first')
    .option('--json', 'as JSON')
    .action(async (options) => (await import('./guard/rules.ts')).listRules(options));

  guard
    .command('lift')
    .description('take a rule away; takes effect within a second')
    .argument('<id>', 'as `guard rules` shows it')
    .action(async (id) => (await import('./guard/rules.ts')).liftRule(id));

  guard
    .command('explain')
    .description('say what the guard holds against a number, and which rule applies; sends nothing')
    .argument('<number>', 'such as +14155550123')
    .option('--account <account>', 'asked for by this account: its name or its id')
    .option('--key <key>', 'asked for with this API key: its id or its prefix')
    .option('--ip <address>', 'asked for from this address of a person’s device')
    .action(async (number, options) => (await import('./guard/explain.ts')).explainDecision(number, options));

  guard
    .command('replay')
    .description('judge recorded traffic as the service would have; sends nothing')
    .requiredOption('--input <file>', 'the traffic, a JSON object on each line (docs/guard.md)')
    .requiredOption('--output <file>', 'where to write a decision for each request')
    .option('--config <file>', 'the configuration whose limits apply')
    .action(async (options) => (await import('./guard/replay.ts')).replayTraffic(options));

  guard
    .command('backtest')
    .description('say what the guard would have refused of what the service has sent; changes nothing')
    .option('--days <days>', 'how far back', '30')
    .option('--config <file>', 'the configuration of the service')
    .addOption(
      new Option(
        '--mode <mode>',
        'for all accounts; by default enforce, for those that do not do without the guard',
      ).choices(['enforce', 'observe']),
    )
    .option('--json', 'as JSON')
    .action(async (options) => (await import('./guard/backtest.ts')).printBacktest(options));

  addAlertCommands(program);
  addWebhookCommands(program);

  program
    .command('doctor')
    .description('check the store, the disk, the clock, the certificate and every carrier')
    .option('--json', 'as JSON')
    .action(async (options) => (await import('./doctor/doctor.ts')).runDoctor(options));

  program
    .command('backup')
    .description('copy the store into a file; the service may be running')
    .requiredOption('--to <file>', 'a new file')
    .action(async (options) => (await import('./store/backup.ts')).makeBackup(options));

  program
    .command('restore')
    .description('put a backup into the data folder; no service may be running on it')
    .requiredOption('--from <file>', 'a file made by `backup`')
    .option('--replace', 'replace the existing store; a copy of it is kept')
    .action(async (options) => (await import('./store/restore.ts')).restoreBackup(options));

  const store = program.command('store').description('move the store to another place');

  store
    .command('copy')
    .description('copy the store of a stopped service into an empty PostgreSQL')
    .requiredOption('--from <address>', 'sqlite:FOLDER, the data folder of the service')
    .option('--to <address>', 'postgres://...; by default `store.url` from the configuration')
    .option('--json', 'what was copied, as JSON')
    .action(async (options) => (await import('./store/store-copy.ts')).copyToDatabase(options));

  return program;
}
