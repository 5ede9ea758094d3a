/** The stand-in itself, where Asterisk is known to do something that a link depends on. */
import { test } from 'node:test';
import { authorize } from '../../../src/carriers/asterisk/rest.ts';
import { AriPeer } from './peer.ts';
import { until } from './rig.ts';

test('a newer connection under the same name ends the earlier one, so that the stand-in can stop', async () => {
  await using asterisk = await new AriPeer().start();
  const credentials = { url: asterisk.url, user: 'otp', password: 'secret' };
  const address = `${asterisk.url.replace('http', 'ws')}/ari/events?app=one`;
  let [opened, closed] = [0, 0];
  for (const count of [1, 2]) {
    const socket = new WebSocket(address, { headers: authorize(credentials) });
    socket.onopen = () => opened++;
    socket.onclose = () => closed++;
    await until(() => opened === count);
  }
  await until(() => closed === 1);
});
