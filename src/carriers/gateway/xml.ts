/**
 * What a call says, as TwiML and its kin spell it. It begins once the telephone is at the ear, and ends with silence:
 * hanging up at once would clip the last digit.
 */
export function speakInXml(attributes: Readonly<Record<string, string>>, text: string): string {
  const say = Object.entries(attributes).map(([name, value]) => ` ${name}="${value}"`);
  return `<Response><Pause length="1"/><Say${say.join('')}>${escapeXml(text)}</Say><Pause length="1"/></Response>`;
}

/** A text as the content of an element. */
export function escapeXml(text: string): string {
  return text.toWellFormed().replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
