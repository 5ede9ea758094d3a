/** All types of carriers, in the order of the reference. A new one is a folder here and an entry in this list. */
import type { CarrierType } from '../options/carrier-type.ts';
import { asterisk } from './asterisk/type.ts';
import { aws } from './aws/type.ts';
import { google } from './google/type.ts';
import { http } from './http/type.ts';
import { infobip } from './infobip/type.ts';
import { meta } from './meta/type.ts';
import { plivo } from './plivo/type.ts';
import { simulator } from './simulator/type.ts';
import { sinch } from './sinch/type.ts';
import { smpp } from './smpp/type.ts';
import { telegram } from './telegram/type.ts';
import { telnyx } from './telnyx/type.ts';
import { twilio } from './twilio/type.ts';
import { vonage } from './vonage/type.ts';

export const CARRIER_TYPES: readonly CarrierType[] = [
  smpp,
  http,
  twilio,
  vonage,
  telnyx,
  plivo,
  infobip,
  sinch,
  aws,
  meta,
  telegram,
  google,
  asterisk,
  simulator,
];
