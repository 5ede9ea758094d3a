/** Lists of HTTP statuses as options write them: `202`, `"429"`, `"2xx"`, `"500-599"`. */
export type StatusSet = (status: number) => boolean;

/** @throws Error that names the option, for a range that ends before it begins or an entry that is not a status */
export function compileStatuses(option: string, list: readonly (string | number)[]): StatusSet {
  const ranges = list.map((item) => readRange(option, String(item)));
  return (status) => ranges.some(([first, last]) => status >= first && status <= last);
}

function readRange(option: string, item: string): readonly [first: number, last: number] {
  const [, hundreds, from, to] = /^(?:([1-5])xx|(\d{3})(?:-(\d{3}))?)$/.exec(item) ?? [];
  const first = hundreds === undefined ? Number(from) : Number(hundreds) * 100;
  const last = hundreds === undefined ? Number(to ?? from) : first + 99;
  if (!(first <= last)) throw new Error(`${option}: ${item} is not a status or a range of statuses`);
  return [first, last];
}
