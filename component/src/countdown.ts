/** Counts seconds down by the clock, so that a page that slept is right when it wakes. */
export class Countdown {
  readonly #tell: (left: number) => void;
  #end = 0;
  #timer: ReturnType<typeof setInterval> | undefined;

  /** `tell` is told of each second, and of the end: 0. */
  constructor(tell: (left: number) => void) {
    this.#tell = tell;
  }

  get left(): number {
    return Math.max(0, Math.ceil((this.#end - Date.now()) / 1000));
  }

  start(seconds: number): void {
    this.#end = Date.now() + seconds * 1000;
    this.resume();
  }

  /** Goes on after a `pause`. */
  resume(): void {
    this.pause();
    if (this.left === 0) return;
    this.#timer = setInterval(() => this.#tick(), 1000);
    this.#tell(this.left);
  }

  pause(): void {
    clearInterval(this.#timer);
  }

  clear(): void {
    this.pause();
    this.#end = 0;
  }

  #tick(): void {
    const { left } = this;
    if (left === 0) this.pause();
    this.#tell(left);
  }
}
