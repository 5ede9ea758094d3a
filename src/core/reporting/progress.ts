/** How far a long piece of work has come, for the person who waits for it. */
export interface Progress {
  /** What is being done: `copying verifications`. */
  readonly step: string;
  /** How much of it is done; absent where nobody can tell. */
  readonly done?: number;
  /** How much there is to do; absent where nobody can tell. */
  readonly total?: number;
  /** What is counted, if the step does not say it. */
  readonly unit?: 'bytes';
}

export type ReportProgress = (progress: Progress) => void;

/** For callers that nobody waits for. */
export const UNWATCHED: ReportProgress = () => {};
