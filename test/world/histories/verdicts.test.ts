/** What an account says that a verification was. */
import { holds } from './rig.ts';

holds(
  'the copy of a number has what was said of its verifications',
  'verify key=a-live to=+14155550177 channel=sms',
  'feedback key=a-live id=0 verdict=fraud',
  'copy number=+14155550177',
  'sign-in by=ann',
  'copy number=+14155550177 account=a by=ann',
);
