/** Caps on what may be sent in a day (UTC), shared by all nodes and kept over restarts. */
export interface QuotaStore {
  /** Takes up to `count` of what is left of `max` on that day (days since 1970). Answers how many were got; 0 when it is used up. */
  takeQuota(name: string, day: number, max: number, count: number): Promise<number>;
  /** Gives back what was taken and not used. */
  returnQuota(name: string, day: number, count: number): Promise<void>;
}
