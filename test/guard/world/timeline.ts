interface Task {
  readonly at: number;
  /** Tasks of one moment run in the order in which they were planned. */
  readonly order: number;
  readonly act: () => void;
}

/** What is planned, earliest first (a binary heap). */
export class Timeline {
  #tasks: Task[] = [];
  #planned = 0;

  plan(at: number, act: () => void): void {
    const task = { at, order: this.#planned++, act };
    let place = this.#tasks.length;
    while (place > 0) {
      const parent = (place - 1) >> 1;
      const above = this.#tasks[parent];
      if (above === undefined || isBefore(above, task)) break;
      this.#tasks[place] = above;
      place = parent;
    }
    this.#tasks[place] = task;
  }

  take(): Task | undefined {
    const first = this.#tasks[0];
    const last = this.#tasks.pop();
    if (last === undefined || this.#tasks.length === 0) return first;
    let place = 0;
    for (;;) {
      const left = this.#tasks[2 * place + 1];
      if (left === undefined) break;
      const right = this.#tasks[2 * place + 2];
      const isRight = right !== undefined && isBefore(right, left);
      const child = isRight ? right : left;
      if (isBefore(last, child)) break;
      this.#tasks[place] = child;
      place = 2 * place + (isRight ? 2 : 1);
    }
    this.#tasks[place] = last;
    return first;
  }
}

function isBefore(a: Task, b: Task): boolean {
  return a.at < b.at || (a.at === b.at && a.order < b.order);
}
