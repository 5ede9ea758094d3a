/** Families of metrics with fast access to their children. */
import { Counter, Gauge, Histogram, type Registry } from 'prom-client';

/** The child for these label values. */
type Family<Child> = (...values: string[]) => Child;

/** Makes families in one registry, with the prefix `countersign_`. */
export function createSeries(registry: Registry) {
  const registers = [registry];
  const describe = (name: string, help: string, labelNames: string[]) => ({
    name: `countersign_${name}`,
    help,
    labelNames,
    registers,
  });
  return {
    /** Counts in a plain number per child, which the family reads on demand: on its own it would hash the labels for each count. */
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
          inc: (by = 1) => {
            child.count += by;
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
      return {
        of: remember((...values: string[]) => family.labels(...values)),
        /** Until it is set again. */
        remove: (...values: string[]) => family.remove(...values),
      };
    },
    /** A gauge that is read on demand; there is no series while there is nothing to read. */
    reading: (name: string, help: string, read: () => Promise<number | undefined>) => {
      const family = new Gauge({
        ...describe(name, help, []),
        async collect() {
          const value = await read();
          if (value === undefined) family.remove();
          else family.set(value);
        },
      });
    },
    /** A gauge with one label, read on demand. */
    readings: (
      name: string,
      help: string,
      label: string,
      read: () => Promise<Iterable<readonly [string, number]>>,
    ) => {
      const family = new Gauge({
        ...describe(name, help, [label]),
        async collect() {
          const values = await read();
          family.reset();
          for (const [name, value] of values) family.labels(name).set(value);
        },
      });
    },
    /** A gauge of 1 for each pair, read on demand, so that a changed text leaves no old series. */
    info: (
      name: string,
      help: string,
      labels: [string, string],
      read: () => Iterable<readonly [string, string]>,
    ) => {
      const family = new Gauge({
        ...describe(name, help, labels),
        collect() {
          family.reset();
          for (const pair of read()) family.labels(...pair).set(1);
        },
      });
    },
  };
}

/**
 * Making a child costs two closures and a check of its labels, and each request needs several: they are kept in Maps nested
 * by label value, so that finding one builds no string.
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
