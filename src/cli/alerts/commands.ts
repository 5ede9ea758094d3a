/** The commands `alerts`: what whoever runs the service decides about its own alerts. Each is loaded when it runs. */
import type { Command } from 'commander';

export function addAlertCommands(program: Command): void {
  const alerts = program
    .command('alerts')
    .description('try out where alerts are told, and silence those of the installation');

  alerts
    .command('test')
    .description('send a test to each place that the configuration names, and say what came back')
    .action(async () => (await import('./places.ts')).testPlaces());

  alerts
    .command('silence')
    .description('tell nobody of alerts of the installation for a while; prints the id of the silence')
    .option('--rule <rule>', 'only of this rule, such as carrier-down')
    .option('--about <subject>', 'only about this, as the letter or the portal names it, such as a carrier')
    .requiredOption('--for <duration>', 'how long, such as 2h; 30d at most')
    .requiredOption('--reason <text>', 'why, for the audit log')
    .action(async (options) => (await import('./silences.ts')).silence(options));

  alerts
    .command('silences')
    .description('list the silences of the installation')
    .option('--json', 'as JSON')
    .action(async (options) => (await import('./silences.ts')).listSilences(options));

  alerts
    .command('lift')
    .description('end a silence; what still fires and was not told is told at the next look')
    .argument('<id>', 'as `alerts silences` shows it')
    .action(async (id) => (await import('./silences.ts')).liftOne(id));
}
