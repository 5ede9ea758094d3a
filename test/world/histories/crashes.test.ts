/** What was answered before a process ended. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { holds, holdsOver, playedWell } from './rig.ts';

test('a test of a carrier whose process dies before the answer is not sent again', async () => {
  const played = await playedWell(
    '',
    'sign-in by=bob',
    'carrier carrier=one conduct=hung',
    'test-carrier by=bob account=b carrier=one to=+33612345678 channel=sms',
    'crash',
    'wait ms=60000',
  );
  assert.equal(played.happenings.filter(({ kind }) => kind === 'sent').length, 1);
});

holds(
  'what was answered under an idempotency key is answered to every key of the account, over a crash',
  'make-key account=a name=k1 test=false customCodes=false',
  'verify key=a-live to=+33612345678 channel=sms once=x',
  'crash',
  'verify key=k1 to=+33612345678 channel=sms once=x',
);

holdsOver(
  'fixed={"code":{"length":4,"validFor":600000,"guesses":5},"limits":{"sendsPerDestination":["2/10m"],"failedGuessesPerDestination":["2/1h"],"requestsPerKey":["4/1h"]},"retention":{"verifications":86400000,"events":604800000},"guard":"off"}',
  'requests of a key, sends and wrong codes still count after a crash',
  'make-key account=a name=k1 test=false customCodes=true',
  'verify key=a-live to=+33612345678 channel=sms code="4829"',
  'verify key=a-live to=+33612345678 channel=sms code="4830"',
  'confirm key=a-live id=1 code="0000"',
  'confirm key=a-live id=2 code="0000"',
  'verify key=a-live to=+14155550177 channel=sms',
  'verify key=a-live to=+447911123457 channel=sms',
  'crash',
  'confirm key=a-live id=1 code="4829"',
  'verify key=k1 to=+33612345678 channel=sms',
  'verify key=a-live to=+14155550177 channel=sms',
);

holds(
  'a key that was revoked stays revoked over a crash',
  'revoke-key key=a-live',
  'wait ms=1001',
  'verify key=a-live to=+33612345678 channel=sms',
  'crash',
  'verify key=a-live to=+33612345678 channel=sms',
);

holds(
  'what an endpoint did not take outlives a stop, and nothing is told of a number that was erased',
  'endpoint account=a status=500',
  'verify key=a-live to=+33612345678 channel=sms',
  'verify key=a-live to=+14155550177 channel=sms',
  'wait ms=2000',
  'erase number=+33612345678',
  'restart',
  'endpoint account=a status=204',
  'wait ms=60000',
);
