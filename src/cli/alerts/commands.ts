/** The command `alerts test`, loaded when it runs. */
import type { Command } from 'commander';

export function addAlertCommands(program: Command): void {
  const alerts = program.command('alerts').description('try out where alerts are told');

  alerts
    .command('test')
    .description('send a test to each place that the configuration names, and say what came back')
    .action(async () => (await import('./places.ts')).testPlaces());
}
