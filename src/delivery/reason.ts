const LENGTH = 80;
/** A telephone number or a long code, in any notation. Shorter runs are carriers' error numbers. */
const NUMBER = /\d(?:[ ().-]{0,2}\d){5,}/g;

/**
 * A carrier's reason for a failure, made safe for labels and for everyone to see. Carriers promise that it holds no
 * number or text of a message; this enforces it as far as possible from outside.
 */
export function presentReason(reason: string): string {
  const plain = reason.toWellFormed().replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ');
  return [...plain.replace(NUMBER, '[number]').trim()].slice(0, LENGTH).join('') || 'unknown';
}
