/** The endpoints of webhooks and their messages, as people change them and look at them. */
import { suite } from 'node:test';
import type { OpenStore } from '../rig.ts';
import { describeEndpoints } from './webhooks/endpoints.ts';
import { describeMessages } from './webhooks/messages.ts';
import { createWebhookRig } from './webhooks/rig.ts';
import { describeSecrets } from './webhooks/secrets.ts';

export function describeWebhooks(open: OpenStore): void {
  suite('endpoints of webhooks', () => {
    const rig = createWebhookRig(open);
    describeEndpoints(rig);
    describeSecrets(rig);
    describeMessages(rig);
  });
}
