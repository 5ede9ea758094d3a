/** Daily quotas (UTC), shared by all nodes and kept over restarts. */
export interface QuotaStore {
  /** Takes up to `count` of what is left of `max` on that day (days since 1970). Returns how many; 0 if it is used up. */
  takeQuota(name: string, day: number, max: number, count: number): Promise<number>;
  /** Returns what was taken but not used. */
  returnQuota(name: string, day: number, count: number): Promise<void>;
}
