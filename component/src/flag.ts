/** Flags as text, where the system draws them: Windows shows two letters. */

/** The flag of a country, or its code. */
export const flagOf = (country: string): string =>
  drawsFlags() ? country.replace(/[A-Z]/g, (letter) => regionalIndicator(letter)) : country;

const regionalIndicator = (letter: string) =>
  String.fromCodePoint((letter.codePointAt(0) ?? 0) - 0x41 + 0x1f1e6);

let known: boolean | undefined;

/** Two letters that become one flag are narrower than both by themselves. */
function drawsFlags(): boolean {
  if (known !== undefined) return known;
  const context = document.createElement('canvas').getContext('2d');
  const widthOf = (text: string) => context?.measureText(text).width ?? 0;
  const [first, second] = ['A', 'T'].map(regionalIndicator);
  known = widthOf(`${first}${second}`) < widthOf(`${first}\u200b${second}`) * 0.9;
  return known;
}
