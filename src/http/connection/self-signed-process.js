/**
 * Makes a certificate in a process of its own, which ends with the memory that its library takes: `from`, `until` and names
 * as arguments, the pair as JSON on standard output. Plain JavaScript, because it begins without the compile cache.
 */
import '../../runtime/compile-cache.js';

const { makeSelfSigned } = await import('./self-signed.ts');
const [from, until, ...names] = process.argv.slice(2);
const validity = { from: new Date(from), until: new Date(until) };
process.stdout.write(JSON.stringify(await makeSelfSigned(validity, names)));
