/** The text of the error that names the faulty option, where something cannot be made of options; or null. */
export function faultOf(make: () => void): string | null {
  try {
    make();
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
