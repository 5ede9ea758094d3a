/** Alerts: who looks, what stands, and whom it is told to. */
import { suite } from 'node:test';
import type { OpenStore } from '../rig.ts';
import { describeApart } from './alerts/apart.ts';
import { describeDecisions } from './alerts/decisions.ts';
import { describeFiring } from './alerts/firing.ts';
import { createAlertRig } from './alerts/rig.ts';
import { describeTraffic } from './alerts/traffic.ts';
import { describeTurn } from './alerts/turn.ts';
import { describeWatched } from './alerts/watched.ts';

export function describeAlerts(open: OpenStore): void {
  suite('alerts', () => {
    const rig = createAlertRig(open);
    describeTurn(rig);
    describeFiring(rig);
    describeDecisions(rig);
    describeApart(rig);
    describeTraffic(rig);
    describeWatched(rig);
  });
}
