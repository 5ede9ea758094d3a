/** What the version before wrote for one verification and its destination under each of two secrets; made by that version. */
export interface WrittenBefore {
  readonly secret: string;
  readonly destinationSealed: string;
  readonly codeSealed: string;
  /** The code, as early builds sealed it: bound to its verification only. */
  readonly boundToVerification: string;
  /** EMPTY and LONG in the context `c`. */
  readonly empty: string;
  readonly long: string;
  readonly codeMac: string;
  readonly destinationHash: string;
  readonly testDestinationHash: string;
  readonly recipientTag: string;
  /** Of the Idempotency-Key `key-1` at `/verify`, of what came with it, and of the same key at `/confirm`. */
  readonly keyHash: string;
  readonly bodyHash: string;
  readonly confirmKeyHash: string;
  /** Of DEVICE. */
  readonly deviceMac: string;
}

export const ID = 'ver_0199c3a0d5f07c3a9b2e4d6f80a1b2c3';
export const ACCOUNT = 'acc_1';
export const NUMBER = '+4915112345678';
export const CODE = '482913';
export const IDEMPOTENCY_KEY = 'key-1';
export const LONG = 'Grüße 📱 an alle, und mehr als einen Block lang';
export const DEVICE = 'per_1\0first\x007\x001800000000000';

export const UNDER_OLD: WrittenBefore = {
  secret: 'the old secret, long enough for all',
  destinationSealed: '26YchYWHPT1zETBOMs0.oYNcOIDc_UDJG_UOXCMfzkYr01vegZHSK1_fNFDL_',
  codeSealed: '26YchYWHPT1zETBOMs1.Sb3R43EmnXO3Wn7lMESrR9yL7Jrr2I',
  boundToVerification: '26YchYWHPT1zETBOMs2.h_JiKrxXsLhlYv3y0NCYhMR8tUhCNo',
  empty: '26YchYWHPT1zETBOMs3.qN1Yae8krAiVDFCQTuVxQt',
  long: '26YchYWHPT1zETBOMs3.3Bwt6LtPCOmLi8PE8rUeD1NAROww9U2bu3kyCNicskHiDC7zQAaDKw-NnXHjVPw08pUZMMoOtpO8yPH7r1hyzceYJa',
  codeMac: 'IhxQVAjiQ07bYz_mEOhf7F',
  destinationHash: 'T5whFa8aBqWKscL_oHufD8',
  testDestinationHash: '-HLEK9fP0n5r7-wZAnr_GX',
  recipientTag: '0mDPr9oWmZLTxUeYmbPVRb',
  keyHash: '0EtXKt3-gDMEDA-tl42VO2',
  bodyHash: 'srzJgsTb2OorcNJ-fEFAKd',
  confirmKeyHash: 'YYcbPlJya5Vf0mUFbMqM3T',
  deviceMac: 'jSNHFy3xuUwRPQ1f2Omb9I',
};

export const UNDER_NEW: WrittenBefore = {
  secret: 'the new secret, long enough for all',
  destinationSealed: 'aACMCzTeOqUnwResrY0.VTqcW8XhnMZzFchNwR07oiDnP4ZPGfNAUVEHotjvi',
  codeSealed: 'aACMCzTeOqUnwResrY1.DvqNiherrgR7tSRbTDvlI-vhu_Bn2N',
  boundToVerification: 'aACMCzTeOqUnwResrY2.mBA-OynehY68Sjo642fhlneKCVzczx',
  empty: 'aACMCzTeOqUnwResrY3.m24D4zdoO2LXq7RKC4iRJT',
  long: 'aACMCzTeOqUnwResrY3.AdnwB5muo-GTeLBrYZZQFFDH-ue1ciumPG84pymrbcr8Pi0QyFyhQLVFknZ0u4SSF5HH3UC7bRt6hmcL6PNiiXeUf5',
  codeMac: 'FzBhJg3ix2Ui-k5_u3vlUj',
  destinationHash: 'sBwGnnb7iJp0XlX79z0bcb',
  testDestinationHash: 'NfsLv1WQocH9JKEuj_078D',
  recipientTag: '9dPd0cTJ4pdhZQbifo-h87',
  keyHash: 'RGzOE-tLRNW8RFi2BQseDQ',
  bodyHash: 'JLTwpIKlQveFNLXl6B6pIr',
  confirmKeyHash: 'oJs9LyNl2GPjg9YC1dOcMQ',
  deviceMac: 'Ml6yb1gGHgqQffLrjpnL7T',
};
