/** Values of data_coding, and what octets each of them means (SMPP 3.4, section 5.2.19; from 0x10 on 3GPP TS 23.038, section 4). */

export interface DataCoding {
  /** For texts in the GSM alphabet. */
  readonly gsm: number;
  /** For all others. */
  readonly ucs2: number;
}

/**
 * `common`: only characters with the same code in ASCII and in the GSM alphabet, because SMSCs disagree about which of the two
 * 0x01 means.
 */
type Writing = 'septets' | 'common' | 'latin1';

/** 0x11 and 0xF1 add that the telephone keeps the message (class 1). Class 0 is not here: it is shown once and lost. */
export const GSM_CODINGS: ReadonlyMap<number, Writing> = new Map([
  [0x00, 'septets'],
  [0x01, 'common'],
  [0x03, 'latin1'],
  [0x11, 'septets'],
  [0xf1, 'septets'],
]);

/** 0x19 is class 1, too. */
export const UCS2_CODINGS: ReadonlySet<number> = new Set([0x08, 0x19]);
