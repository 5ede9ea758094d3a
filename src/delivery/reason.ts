const LENGTH = 80;
/** A number of a telephone or a long code, however it is written. Shorter runs are carriers' own error numbers. */
const NUMBER = /\d(?:[ ().-]{0,2}\d){5,}/g;

/**
 * What a carrier gave as the reason of a failure, fit for a label and for all eyes. Carriers promise that it holds no number
 * or text of a message; this holds them to it as far as can be seen from outside.
 */
export function presentReason(reason: string): string {
  const plain = reason.toWellFormed().replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ');
  return [...plain.replace(NUMBER, '[number]').trim()].slice(0, LENGTH).join('') || 'unknown';
}
