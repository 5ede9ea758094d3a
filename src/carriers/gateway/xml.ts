/**
 * What a call says, as TwiML and similar formats write it. The pause at the start gives time to raise the telephone;
 * the pause at the end keeps the last digit from being cut off.
 */
export function speakInXml(attributes: Readonly<Record<string, string>>, text: string): string {
  const say = Object.entries(attributes).map(([name, value]) => ` ${name}="${value}"`);
  return `<Response><Pause length="1"/><Say${say.join('')}>${escapeXml(text)}</Say><Pause length="1"/></Response>`;
}

/** A text as the content of an element. */
export function escapeXml(text: string): string {
  return text.toWellFormed().replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
