/**
 * Calls in the order of their ids, so that batches of two nodes lock their rows in one order; those of one id stay as they
 * came. `indexOf` tells where the call with a number, from 1, stood.
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
