/** Who is told a full number: the key that asked for its code, and what took that key's place. Every other key gets it masked. */
import { maskDestination } from '../../destination/destination-mask.ts';
import type { Caller } from '../request.ts';

/** Whether a key took the place of an earlier one by rotation, at once or over others. Rejects with a StoreFailure. */
export type IsSuccessor = (keyId: string, earlier: string) => Promise<boolean>;

/** A canonical address, as a caller may see it; `askedBy` is the key that asked for the code. */
export async function showNumber(
  isSuccessor: IsSuccessor,
  { keyId }: Pick<Caller, 'keyId'>,
  askedBy: string,
  address: string,
): Promise<string> {
  const isOwn = keyId === askedBy || (await isSuccessor(keyId, askedBy));
  return isOwn ? address : maskDestination(address);
}
