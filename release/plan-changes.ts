/**
 * What a new version of libphonenumber-js changes for people: `npx node release/plan-changes.ts 1.12.31` compares that version with the
 * installed one, a second version with that one. Prints, for each country, the beginnings of national numbers that are mobile
 * numbers from now on, those that are none any more, and those that are landlines, or of which some are gone.
 */
import metadata from 'libphonenumber-js/metadata.max.json';
import { comparePlans } from './numbering/compare.ts';
import { fetchMetadata } from './numbering/versions.ts';

const [before, now] = process.argv.slice(2);
if (before === undefined) throw new Error('Name the earlier version, such as 1.12.31.');
const changes = comparePlans(fetchMetadata(before), now === undefined ? metadata : fetchMetadata(now));
for (const { country, callingCode, digits, gained, lost, withdrawn } of changes) {
  const numbers = `${country} +${callingCode}, ${digits} digits`;
  const others = lost.filter((prefix) => !withdrawn.includes(prefix));
  if (gained.length > 0) console.log(`${numbers}: mobile now: ${gained.join(' ')}`);
  if (withdrawn.length > 0) console.log(`${numbers}: no numbers any more: ${withdrawn.join(' ')}`);
  if (others.length > 0) console.log(`${numbers}: landlines now, or gone in part: ${others.join(' ')}`);
}
