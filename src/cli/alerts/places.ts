/** Tries out the places of alerts that the configuration names, without the service. */

import { mintListId } from '../../accounts/token.ts';
import { createMail, type SentNotification } from '../../alerts/mail.ts';
import { composeNotification } from '../../alerts/notification.ts';
import { EVERYWHERE, postNotification } from '../../alerts/post-notification.ts';
import { testFacts } from '../../alerts/try-out.ts';
import type { Config } from '../../config/table/schema.ts';
import { SYSTEM_CLOCK } from '../../core/seams/clock.ts';
import { SYSTEM_RANDOM } from '../../core/seams/random.ts';
import { readConfiguration } from '../configuration.ts';
import { CommandFailure } from '../failure.ts';

/** Fails if a place did not take it. */
export async function testPlaces(): Promise<void> {
  const tries = await tryAll(await readConfiguration());
  if (tries.length === 0) {
    throw new CommandFailure('the configuration names no place: set alerts.email or alerts.webhook');
  }
  for (const { place, sent } of tries) {
    console.log(`${place}: ${sent.kind === 'sent' ? 'taken' : `not taken: ${sent.answer}`}`);
  }
  const failed = tries.filter(({ sent }) => sent.kind === 'failed').length;
  if (failed > 0) throw new CommandFailure(`${failed} of ${tries.length} places did not take the test`);
}

async function tryAll({ alerts: { email, webhook }, smtp, publicUrl }: Config) {
  const now = SYSTEM_CLOCK.wall();
  const notice = {
    id: mintListId('aln', now, SYSTEM_RANDOM),
    kind: 'test',
    at: now,
    facts: testFacts(null, null, now),
  } as const;
  const notification = composeNotification([notice], publicUrl?.replace(/\/$/, ''));
  const tries: { readonly place: string; readonly sent: SentNotification }[] = [];
  if (smtp !== undefined && email.length > 0) {
    const mail = createMail(SYSTEM_CLOCK, smtp);
    for (const address of email) tries.push({ place: address, sent: await mail.send(address, notification) });
    mail.close();
  }
  if (webhook !== undefined) {
    const sent = await postNotification(webhook, notification, {
      privateNetworks: EVERYWHERE,
      clock: SYSTEM_CLOCK,
    });
    // Its address is a secret.
    tries.push({ place: 'webhook', sent });
  }
  return tries;
}
