interface Part {
  readonly next: string | null;
}

/** A long search is answered in parts: asks for one after the other. */
export async function allParts<Each extends Part>(
  ask: (from: { readonly before?: string }) => Promise<Each>,
): Promise<[Each, ...Each[]]> {
  const first = await ask({});
  const parts: [Each, ...Each[]] = [first];
  for (let { next } = first; next !== null; ) {
    const part = await ask({ before: next });
    parts.push(part);
    next = part.next;
  }
  return parts;
}
