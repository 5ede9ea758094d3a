/** Numbers and ranges that an account sends nothing to, and who wrote to a number last. */
import { suite } from 'node:test';
import type { OpenStore } from '../rig.ts';
import { describeList } from './blocked/list.ts';
import { describeMessengerUsers } from './blocked/messenger-users.ts';
import { describeRenumberedList } from './blocked/renumbered.ts';
import { describeReplies } from './blocked/replies.ts';
import { createBlockedRig } from './blocked/rig.ts';
import { describeListRotation } from './blocked/rotation.ts';

export function describeBlocked(open: OpenStore): void {
  suite('do-not-send list', () => {
    const rig = createBlockedRig(open);
    describeList(rig);
    describeListRotation(rig);
    describeRenumberedList(rig);
    describeReplies(rig);
    describeMessengerUsers(rig);
  });
}
