/** For work that gives a file its name, and must not replace one that has it. */
export function unlessExisting(work: () => void): 'done' | 'exists' {
  try {
    work();
    return 'done';
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return 'exists';
    throw error;
  }
}
