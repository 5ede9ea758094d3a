/**
 * Signals to the service from its first moment on. Without a handler one ends the process by what it is, which supervisors do not
 * take for a failure: they would leave it down. The first process of a container would not hear it at all.
 */
import { constants } from 'node:os';
import { isatty } from 'node:tty';

const ENDINGS = ['SIGTERM', 'SIGINT'] as const;

interface Actions {
  /** Once. */
  readonly stop: () => void;
  readonly reload: () => void;
}

interface Host extends Pick<NodeJS.Process, 'pid' | 'on' | 'removeListener'> {
  exit(code: number): void;
}

export class ServiceSignals {
  readonly #host: Host;
  #phase: 'starting' | 'working' | 'running' | 'ending' = 'starting';
  #actions: Actions | undefined;
  #wantsReload = false;

  /** Holds them until the service runs. SIGHUP says that a terminal is gone, where there is one. */
  constructor(host: Host, onTerminal: boolean) {
    this.#host = host;
    for (const signal of ENDINGS) host.on(signal, this.#end);
    if (!onTerminal) host.on('SIGHUP', this.#reload);
  }

  /** From here on others wait for the service: it ends gracefully, as soon as it has started. */
  beginWork(): void {
    if (this.#phase === 'starting') this.#phase = 'working';
  }

  /** The service runs. What came before is done now. */
  act(actions: Actions): void {
    this.#actions = actions;
    if (this.#phase === 'ending') actions.stop();
    else {
      this.#phase = 'running';
      if (this.#wantsReload) actions.reload();
    }
  }

  readonly #reload = (): void => {
    if (this.#phase === 'running') this.#actions?.reload();
    else this.#wantsReload = true;
  };

  readonly #end = (): void => {
    const wasStarting = this.#phase === 'starting';
    this.#phase = 'ending';
    this.#endAtOnceNext();
    // Nothing is lost, as by a kill. A step of an upgrade of the store is waited for.
    if (wasStarting) this.#host.exit(0);
    else this.#actions?.stop();
  };

  /** By the default action, which the first process of a container does not have. */
  #endAtOnceNext(): void {
    for (const signal of ENDINGS) {
      this.#host.removeListener(signal, this.#end);
      if (this.#host.pid === 1) this.#host.on(signal, () => this.#host.exit(128 + constants.signals[signal]));
    }
  }
}

let held: ServiceSignals | undefined;

/** Those of this process. */
export function holdSignals(): ServiceSignals {
  held ??= new ServiceSignals(process, isatty(0));
  return held;
}
