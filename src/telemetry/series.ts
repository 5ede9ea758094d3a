/** Families of metrics whose children are found fast. */
import { Counter, Gauge, Histogram, type Registry } from 'prom-client';

/** The child for these label values. */
type Family<Child> = (...values: string[]) => Child;

/** Makes families in one registry, their names beginning with `countersign_`. */
export function createSeries(registry: Registry) {
  const registers = [registry];
  const describe = (name: string, help: string, labelNames: string[]) => ({
    name: `countersign_${name}`,
    help,
    labelNames,
    registers,
  });
  return {
    /** Counted in a plain number for each child, which the family takes over when it is asked: it hashes the labels at each count. */
    counter: (name: string, help: string, ...labels: string[]) => {
      const children: { readonly values: string[]; count: number }[] = [];
      const family = new Counter({
        ...describe(name, help, labels),
        collect() {
          family.reset();
          for (const { values, count } of children) family.labels(...values).inc(count);
        },
      });
      return remember((...values: string[]) => {
        const child = { values, count: 0 };
        children.push(child);
        return {
          inc: () => {
            child.count++;
          },
        };
      });
    },
    histogram: (name: string, help: string, buckets: number[], ...labels: string[]) => {
      const family = new Histogram({ ...describe(name, help, labels), buckets });
      return remember((...values: string[]) => family.labels(...values));
    },
    gauge: (name: string, help: string, ...labels: string[]) => {
      const family = new Gauge(describe(name, help, labels));
      return remember((...values: string[]) => family.labels(...values));
    },
    /** A gauge of 1 for each pair of the map, read when it is asked for: a text that changes leaves no old series. */
    info: (name: string, help: string, labels: [string, string], pairs: ReadonlyMap<string, string>) => {
      const family = new Gauge({
        ...describe(name, help, labels),
        collect() {
          family.reset();
          for (const pair of pairs) family.labels(...pair).set(1);
        },
      });
    },
  };
}

/**
 * A child costs two closures and a check of its labels to make, and is asked for several times a request: the ones made
 * are kept, in Maps nested by label value, so that finding one builds no string.
 */
function remember<Child>(make: Family<Child>): Family<Child> {
  interface Node {
    child?: Child;
    readonly next: Map<string, Node>;
  }
  const root: Node = { next: new Map() };
  return (...values) => {
    let node = root;
    for (const value of values) {
      let next = node.next.get(value);
      if (next === undefined) {
        next = { next: new Map() };
        node.next.set(value, next);
      }
      node = next;
    }
    node.child ??= make(...values);
    return node.child;
  };
}
