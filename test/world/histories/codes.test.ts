/** Codes that meet others. */
import { holds } from './rig.ts';

holds(
  'a code that was confirmed stays so, and another one expires',
  'verify key=a-live to=+33612345678 channel=sms code="4829"',
  'verify key=a-live to=+33612345678 channel=sms code="4830"',
  'confirm key=a-live id=0 code="4829"',
  'wait ms=600001',
  'confirm key=a-live id=0 code="4829"',
  'confirm key=a-live id=1 code="4830"',
);

holds(
  'two systems that send the same code to one number are each served',
  'carrier carrier=one conduct="failed for now"',
  'hook system=casdoor to=+14155550177 code="482913"',
  'hook system=authentik to=+14155550177 code="482913"',
  'wait ms=3376',
);

holds(
  'a code that an identity system checks itself is sent on, whatever CAMARA sends to its number',
  'settings account=a twilio=true camara=true countries=[]',
  'wait ms=2000',
  'carrier carrier=one conduct="failed for now"',
  'carrier carrier=two conduct="failed for now"',
  'hook system=zitadel to=+14155550177 code="482913"',
  'camara-send key=a-live to=+14155550177',
  'carrier carrier=one conduct=accepted',
  'wait ms=60000',
);

holds(
  'a code that an identity system checks itself is approved by nobody else',
  'settings account=a twilio=true camara=true countries=[]',
  'hook system=zitadel to=+14155550177 code="482914"',
  'verify key=a-live to=+14155550177 channel=sms',
  'twilio-check key=a-live of=+14155550177 code="482914"',
);

holds(
  'the guess that a check takes from one of two codes of a moment may be either one’s',
  'settings account=a twilio=true countries=[]',
  'wait ms=3819',
  'verify key=a-test to=+15005550004 channel=sms',
  'crash',
  'verify key=a-test to=+15005550004 channel=sms',
  'twilio-check key=a-test of=+15005550004 code="100001"',
  'confirm key=a-test id=4 code="100001"',
);

holds(
  'tests of a carrier to a range that is not sent to take no place from others',
  'block account=a what=+1415',
  'sign-in by=ann',
  'test-carrier by=ann account=a carrier=one to="" channel=sms',
  ...['+14155550177', '+14155550101', '+14155550102', '+447911123456', '+447911123457', '+4915112345678'].map(
    (to) => `test-carrier by=ann account=a carrier=one to=${to} channel=sms`,
  ),
);
