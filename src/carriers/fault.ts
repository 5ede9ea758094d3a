/** The text of the error that `make` throws, which names the faulty option; null if it throws none. */
export function faultOf(make: () => void): string | null {
  try {
    make();
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
