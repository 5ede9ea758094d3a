/**
 * Makes a certificate in a process of its own, which ends with the memory that its library takes: `from` and `until` as
 * arguments, the pair as JSON on standard output. Plain JavaScript, because it begins without the compile cache.
 */
import '../../runtime/compile-cache.js';

const { makeSelfSigned } = await import('./self-signed.ts');
const [from, until] = process.argv.slice(2).map((time) => new Date(time));
process.stdout.write(JSON.stringify(await makeSelfSigned({ from, until })));
