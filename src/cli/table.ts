/** Rows as aligned columns under their names, for a terminal. Names and values come from the rows; null is a dash. */
export function formatTable(rows: readonly Readonly<Record<string, string | boolean | null>>[]): string {
  const names = Object.keys(rows[0] ?? {});
  const lines = [
    names.map((name) => name.toUpperCase()),
    ...rows.map((row) => names.map((name) => show(row[name]))),
  ];
  const widths = names.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)));
  return lines
    .map((line) =>
      line
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

/** Control characters of a name must not reach the terminal. */
function show(value: string | boolean | null | undefined): string {
  return String(value ?? '-').replace(/\p{Cc}/gu, '?');
}
