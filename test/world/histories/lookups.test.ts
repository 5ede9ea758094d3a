/** What is asked about numbers before codes are sent to them. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { endDatabases } from '../machine/postgres/databases.ts';
import { answersOf, playedWell } from './rig.ts';

after(endDatabases);

const FIXED = {
  code: { length: 4, validFor: 600_000, guesses: 5 },
  limits: {
    sendsPerDestination: ['3/10m'],
    failedGuessesPerDestination: ['4/1h'],
    requestsPerKey: ['2/1h'],
  },
  retention: { verifications: 86_400_000, events: 604_800_000 },
  guard: 'off',
  lookups: [
    { name: 'insight', tells: ['lineType'], price: 0.1, remember: 900_000 },
    { name: 'network', tells: ['swapped'], price: 0.1, remember: 900_000 },
  ],
};
const LIVE = {
  countries: [],
  route: [{ carrier: 'one', price: 0.05 }],
  budgets: [{ of: 'installation', per: 'day', money: 0.2 }],
};

for (const store of ['sqlite', 'postgres'])
  test(`a request whose second question has no room counts once for its key (${store})`, async () => {
    const played = await playedWell(
      `store=${store} fixed=${JSON.stringify(FIXED)} live=${JSON.stringify(LIVE)}`,
      'settings account=a twilio=true countries=[] refuse={"types":["voip"],"hours":24}',
      'wait ms=2000',
      'line number=+14155550177 type=mobile',
      'verify key=a-live to=+14155550177 channel=sms',
      'verify key=a-live to=+14155550101 channel=sms',
      'verify key=a-live to=+14155550102 channel=sms',
    );
    const asked = played.happenings.flatMap((it) => (it.kind === 'questioned' ? it.lookup : []));
    assert.deepEqual([asked, answersOf(played)], [['insight'], [429, 429, 429]]);
  });
