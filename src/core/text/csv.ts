/** Tables for spreadsheets (RFC 4180). */
export type Cell = string | number | null;

/** At the start of a cell, a spreadsheet reads these as a formula, which nobody's text may ever be. */
const FORMULA = /^[=+\-@\t\r\n＝＋－＠]/;

export const formatRow = (cells: readonly Cell[]): string => `${cells.map(formatCell).join(',')}\r\n`;

function formatCell(cell: Cell): string {
  if (typeof cell !== 'string') return cell === null ? '' : String(cell);
  const text = FORMULA.test(cell.trimStart()) || FORMULA.test(cell) ? `'${cell}` : cell;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
