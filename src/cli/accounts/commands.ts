/** The commands `accounts`. What each of them does is loaded when it runs. */
import { type Command, Option } from 'commander';

export function addAccountCommands(program: Command): void {
  const accounts = program
    .command('accounts')
    .description('keep accounts, their settings, keys and members in a file; rename one');

  accounts
    .command('apply')
    .description('say what a file of accounts would change, or change it; what it does not name stays')
    .argument('<file>', 'YAML, such as `accounts export` writes (docs/accounts-as-code.md)')
    .addOption(new Option('--plan', 'only say what would change, as without --yes').conflicts('yes'))
    .option('--yes', 'change it, and print each new key and invitation; they are not shown again')
    .option('--init', 'create the store if there is none, as the first start of the service does')
    .action(async (file, options) => (await import('./apply.ts')).applyAccounts(file, options));

  accounts
    .command('export')
    .description('print accounts as such a file; it holds no secret')
    .option('--account <name>', 'one account only')
    .action(async (options) => (await import('./export.ts')).exportAccounts(options));

  accounts
    .command('rename')
    .description('give an account another name, also one by which commands or single sign-on find it')
    .argument('<name>', 'what it is called')
    .argument('<new-name>', 'what it is to be called')
    .action(async (name, wanted) => (await import('./rename.ts')).renameAccount(name, wanted));
}
