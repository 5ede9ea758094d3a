/** The secrets that messages are signed with. */

import { revealWebhookSecret, rotateWebhookSecret } from '../../accounts/webhooks/secrets.ts';
import { OVERLAP_MS } from '../../core/events/endpoint.ts';
import { readConfiguration } from '../configuration.ts';
import { CommandFailure } from '../failure.ts';
import { openKeyring } from '../store/command-keyring.ts';
import { unknown, withEndpoint } from './one.ts';

/** Prints only the new secret. */
export async function rotateSecret(id: string): Promise<void> {
  const config = await readConfiguration();
  const { secret, now } = await withEndpoint(config, id, async (records, change) => {
    const keyring = await openKeyring(config, records);
    return { secret: await rotateWebhookSecret({ records, keyring }, change), now: change.now };
  });
  if (secret === undefined) throw unknown();
  const until = new Date(now + OVERLAP_MS).toISOString();
  console.error(`rotated; until ${until}, messages are signed with the previous secret, too:`);
  console.log(secret);
}

/** Prints only the secret. */
export async function revealSecret(id: string): Promise<void> {
  const config = await readConfiguration();
  const revealed = await withEndpoint(config, id, async (records, change) =>
    revealWebhookSecret({ records, keyring: await openKeyring(config, records) }, change),
  );
  switch (revealed.kind) {
    case 'revealed':
      console.log(revealed.secret);
      return;
    case 'lost':
      throw new CommandFailure('no configured secret opens it any more; rotate it');
    case 'unknown':
      throw unknown();
  }
}
