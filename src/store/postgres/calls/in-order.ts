/**
 * Sorts calls by id, so that the batches of two nodes lock rows in the same order; calls with the same id keep their order.
 * `indexOf` answers the original index of a call by its number in `sorted`, from 1.
 */
export function inOrder<Call>(calls: readonly Call[], idOf: (call: Call) => string) {
  const order = [...calls.entries()].sort(([, a], [, b]) => compare(idOf(a), idOf(b)));
  return {
    sorted: order.map(([, call]) => call),
    indexOf: (number: number): number => order[number - 1]?.[0] ?? -1,
  };
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
