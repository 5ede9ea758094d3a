/** Nodes that share a store, and the two stores. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { findDifference } from '../both-stores.ts';
import { endDatabases } from '../machine/postgres/databases.ts';
import { history, holdsOver, playedWell } from './rig.ts';

after(endDatabases);

test('a node that sleeps with what it did unwritten has it done again by another one, and says so later', async () => {
  const played = await playedWell(
    'store=postgres nodes=3',
    'verify key=b-test to=+33612345678 channel=sms code="482913" node=2 & verify key=b-live to=+33612345678 channel=voice',
    'pause ms=20000',
  );
  assert.equal(played.happenings.filter(({ kind }) => kind === 'sent').length, 2);
});

for (const [where, by] of [
  ['', ''],
  [' in the portal', 'by=bob'],
])
  holdsOver(
    'store=postgres nodes=2',
    `a key that is replaced${where} ends at one time, whatever the clocks of nodes say`,
    'sign-in by=bob',
    'clock ahead=-50000',
    `rotate-key key=b-live name=k1 overlap=60000 ${by}`,
    `rotate-key key=b-test name=k2 overlap=60000 node=1 ${by}`,
    'wait ms=59000',
    'verify key=b-live to=+14155550177 channel=sms node=1',
    'verify key=b-test to=+14155550177 channel=sms',
    'wait ms=1001',
    'verify key=b-live to=+14155550177 channel=sms node=1',
    'verify key=b-test to=+14155550177 channel=sms',
  );

holdsOver(
  'store=postgres nodes=3',
  'a rule of the guard is shown until it ends, whatever the clock of the node says that is asked',
  'clock ahead=-50000 node=1',
  'sign-in by=bob node=2',
  'guard-rule name=r1 action=pause of=country value=US lasts=60000 node=1',
  'wait ms=59000',
  'list by=bob account=b what=guard/rules node=1',
  'wait ms=1001',
  'list by=bob account=b what=guard/rules node=1',
  'list by=bob account=b what=countries node=1',
);

test('on a full disk both stores refuse only what would change something', async () => {
  const asked = [
    'sign-in by=bob',
    'disk isFull=true',
    'rotate-key key=a-test name=k1 overlap=3600000 by=bob',
    'rotate-key key=b-test name=k2 overlap=3600000 by=bob',
  ];
  assert.equal(await findDifference(history('', ...asked)), undefined);
});

const TESTS = `{"countries":[],"route":[{"carrier":"one","price":0.05}],"budgets":[]}`;
holdsOver(
  `store=postgres nodes=3 live=${TESTS}`,
  'how many tests of carriers there may be in an hour goes by the clock of the database',
  'clock node=2 ahead=-50000',
  'sign-in by=ann node=2',
  'test-carrier by=ann account=a carrier=one to=+14155550101 channel=sms',
  'test-carrier by=ann account=a carrier=one to=+4915112345678 channel=sms node=2',
  'test-carrier by=ann account=a carrier=one to=+4915112345679 channel=sms node=1',
  'test-carrier by=ann account=a carrier=one to=+14155550102 channel=sms node=1',
  'test-carrier by=ann account=a carrier=one to=+4915112345678 channel=sms node=2',
  'wait ms=3599999 node=1',
  'prove by=ann node=1',
  'test-carrier by=ann account=a carrier=one to=+14155550101 channel=sms node=1',
);
