/** The commands `webhooks`. What each of them does is loaded when it runs. */

import type { Command } from 'commander';
import { DEFAULT_ACCOUNT } from '../../core/accounts/default-account.ts';

export function addWebhookCommands(program: Command): void {
  const webhooks = program
    .command('webhooks')
    .description('say which servers are told what becomes of codes, and look at what they were told');

  webhooks
    .command('add')
    .description('add an endpoint, and print only the secret that its messages are signed with')
    .argument('<url>', 'an https address, such as https://example.com/webhooks')
    .option('--account <name>', 'whose events', DEFAULT_ACCOUNT)
    .option('--types <types>', 'only these events, such as verification.confirmed,delivery.failed')
    .option('--full-numbers', 'send telephone numbers in full instead of masked')
    .action(async (url, options) => (await import('./endpoints.ts')).addEndpoint(url, options));

  webhooks
    .command('list')
    .description('list the endpoints of an account, oldest first')
    .option('--account <name>', 'whose', DEFAULT_ACCOUNT)
    .option('--json', 'as JSON')
    .action(async (options) => (await import('./endpoints.ts')).listEndpoints(options));

  webhooks
    .command('show')
    .description('show an endpoint and its latest messages')
    .argument('<id>', 'as `webhooks list` shows it')
    .option('--json', 'as JSON')
    .action(async (id, options) => (await import('./messages.ts')).showEndpoint(id, options));

  webhooks
    .command('secret')
    .description('print only the secret that messages to an endpoint are signed with')
    .argument('<id>', 'as `webhooks list` shows it')
    .action(async (id) => (await import('./secrets.ts')).revealSecret(id));

  webhooks
    .command('change')
    .description('change an endpoint; what is left out stays as it is')
    .argument('<id>', 'as `webhooks list` shows it')
    .option('--url <url>', 'another address')
    .option('--types <types>', 'only these events, with commas between, or `all`')
    .option('--full-numbers', 'send telephone numbers in full')
    .option('--masked-numbers', 'send telephone numbers masked')
    .action(async (id, options) => (await import('./endpoints.ts')).changeEndpoint(id, options));

  webhooks
    .command('rotate')
    .description('print only a new secret; for a day, the previous one signs, too')
    .argument('<id>', 'as `webhooks list` shows it')
    .action(async (id) => (await import('./secrets.ts')).rotateSecret(id));

  for (const [change, description] of [
    ['enable', 'send to a disabled endpoint again'],
    ['disable', 'send nothing to an endpoint until it is enabled'],
    ['remove', 'remove an endpoint with its secret and its messages'],
  ] as const) {
    webhooks
      .command(change)
      .description(description)
      .argument('<id>', 'as `webhooks list` shows it')
      .action(async (id) => (await import('./state.ts')).changeState(change, id));
  }

  webhooks
    .command('test')
    .description('send a test to an endpoint, and say whether it took it')
    .argument('<id>', 'as `webhooks list` shows it')
    .action(async (id) => (await import('./messages.ts')).testEndpoint(id));

  webhooks
    .command('replay')
    .description('send the messages again that an endpoint did not take')
    .argument('<id>', 'as `webhooks list` shows it')
    .requiredOption('--since <time>', 'of events from then on, such as 2026-11-01T00:00:00Z')
    .option('--until <time>', 'of events before then; by default now')
    .option('--all', 'also those that it took')
    .action(async (id, options) => (await import('./messages.ts')).replaySpan(id, options));
}
