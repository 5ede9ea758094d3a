/** The guards that the world is to find the absence of. */
import { MUTANTS } from '../../mutants/all.ts';
import type { Mutant } from '../../mutants/mutant.ts';
import { CHANNEL_FAULTS, CHANNELS } from './channels.ts';
import { CHOSEN } from './chosen.ts';
import { type Edit, INVENTED } from './invented.ts';
import { INVENTED_AGAIN } from './invented-again.ts';
import { INVENTED_FIFTH } from './invented-fifth.ts';
import { INVENTED_FOURTH } from './invented-fourth.ts';
import { INVENTED_THIRD } from './invented-third.ts';
import { LOOKED_UP, LOOKUP_FAULTS } from './lookups.ts';
import { MENDED } from './mended.ts';
import { SHARED } from './shared.ts';
import { VERDICT_FAULTS, VERDICTS } from './verdicts.ts';

export interface List {
  /** What is taken without words. */
  readonly all: readonly Mutant[];
  /** What words choose from. */
  readonly among: readonly Mutant[];
  /** How the world is played. */
  readonly over: readonly string[];
}

/** One store, and what is between it and the doors. */
const filesWith = (store: string) =>
  new RegExp(`^src/(core|guard|delivery|http|events|accounts|store/shared|store/${store}|reload)/`);
const ofFiles = (files: RegExp) => MUTANTS.filter(({ file }) => files.test(file));

function named(names: readonly string[], among: readonly Mutant[]): readonly Mutant[] {
  return names.map((name) => {
    const [mutant] = among.filter(({ breaks }) => breaks === name);
    if (mutant === undefined) throw new Error(`no mutant breaks: ${name}`);
    return mutant;
  });
}

const PLAYED = ofFiles(filesWith('sqlite'));
const OF_POSTGRES = ofFiles(/^src\/store\/postgres\//);
const ofStrangers = (edits: readonly Edit[]): List => {
  const all = edits.map((edit): Mutant => ({ ...edit, tests: [] }));
  return { all, among: all, over: [] };
};

/** Guards of one door, and faults that were written with it. */
function ofDoor(names: readonly string[], edits: readonly Edit[]): List {
  const all = [...named(names, MUTANTS), ...ofStrangers(edits).all];
  return { all, among: all, over: [] };
}

export const LISTS: Readonly<Record<string, List>> = {
  guards: { all: named([...MENDED, ...CHOSEN], PLAYED), among: PLAYED, over: [] },
  shared: {
    ...{ all: named(SHARED, OF_POSTGRES), among: OF_POSTGRES },
    over: ['--store', 'postgres', '--nodes', '2'],
  },
  channels: ofDoor(CHANNELS, CHANNEL_FAULTS),
  verdicts: ofDoor(VERDICTS, VERDICT_FAULTS),
  lookups: ofDoor(LOOKED_UP, LOOKUP_FAULTS),
  invented: ofStrangers(INVENTED),
  again: ofStrangers(INVENTED_AGAIN),
  third: ofStrangers(INVENTED_THIRD),
  fourth: ofStrangers(INVENTED_FOURTH),
  fifth: ofStrangers(INVENTED_FIFTH),
};
