/** The candidate that was most likely meant; undefined if none is close. */
export function findNearest(written: string, candidates: Iterable<string>): string | undefined {
  let nearest: string | undefined;
  let least = Math.max(2, Math.floor(written.length / 3)) + 1;
  for (const candidate of candidates) {
    const distance = countEdits(written.toLowerCase(), candidate.toLowerCase());
    if (distance < least) [nearest, least] = [candidate, distance];
  }
  return nearest;
}

/** Levenshtein distance: insertions, deletions and substitutions that turn one into the other. */
function countEdits(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let i = 0; i < a.length; i++) {
    const next = [i + 1];
    for (let j = 0; j < b.length; j++) {
      const substituted = (row[j] ?? 0) + (a[i] === b[j] ? 0 : 1);
      next.push(Math.min(substituted, (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}

/** `a, b or c`. */
export function listChoices(choices: readonly unknown[]): string {
  const words = choices.map(String);
  const last = words.pop() ?? '';
  return words.length === 0 ? last : `${words.join(', ')} or ${last}`;
}
