/** Requests with one Idempotency-Key go one at a time; those that come meanwhile are told so. */
export class OneAtATime {
  /** Each entry lives as long as its request. */
  readonly #inProgress = new Set<string>();

  async run<Answer>(
    accountId: string,
    keyHash: string,
    ask: () => Promise<Answer>,
  ): Promise<Answer | { readonly kind: 'idempotency-in-progress' }> {
    const place = `${accountId} ${keyHash}`;
    if (this.#inProgress.has(place)) return { kind: 'idempotency-in-progress' };
    this.#inProgress.add(place);
    try {
      return await ask();
    } finally {
      this.#inProgress.delete(place);
    }
  }
}
