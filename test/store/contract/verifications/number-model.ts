/** What becomes of codes that are confirmed by their number, said as plainly as possible, beside the store that is tested. */
import type { NewVerification } from '../../../../src/core/verification/verification.ts';
import type { Store } from '../../../../src/store/port.ts';
import { DAY, issueOne, newVerification, unique } from '../rig.ts';

export type Step =
  | { readonly kind: 'issue'; readonly number: number; readonly code: string }
  | { readonly kind: 'check'; readonly number: number; readonly code: string }
  | { readonly kind: 'confirm'; readonly nth: number; readonly code: string }
  | { readonly kind: 'cancel'; readonly nth: number }
  | { readonly kind: 'wait'; readonly ms: number };

export const MODEL_BUDGET = { max: 7, windowMs: DAY };
const GUESSES = 2;

interface ModelCode {
  readonly v: NewVerification;
  readonly code: string;
  guesses: number;
  confirmed: boolean;
  ended: boolean;
}

const macOf = (id: string, code: string) => `${code} ${id}`;

export function createNumberModel(store: Store, start: number) {
  let now = start;
  const accountId = unique('acc');
  const hashes = [unique('hash'), unique('hash')];
  const all: ModelCode[] = [];
  const failures = new Map<string, number>();
  const hashOf = (number: number) => hashes[number] ?? '';

  const isOpen = (each: ModelCode) => !each.confirmed && !each.ended;
  const isLive = (each: ModelCode) => isOpen(each) && each.v.expiresAt > now;
  const hasBudget = ({ v }: ModelCode) => (failures.get(v.destinationHash) ?? 0) < MODEL_BUDGET.max;

  function judge(each: ModelCode, code: string): string {
    each.guesses--;
    const hash = each.v.destinationHash;
    if (each.code === code) {
      each.confirmed = true;
      failures.delete(hash);
      for (const other of all) if (other.v.destinationHash === hash && isOpen(other)) other.ended = true;
      return 'confirmed';
    }
    failures.set(hash, (failures.get(hash) ?? 0) + 1);
    return 'mismatch';
  }

  function check(number: number, code: string): string {
    const live = all.filter((each) => each.v.destinationHash === hashOf(number) && isLive(each));
    const open = live.filter(({ guesses }) => guesses > 0).sort((a, b) => (a.v.id < b.v.id ? 1 : -1));
    const chosen = open.find((each) => each.code === code) ?? open[0];
    if (chosen === undefined) return live.length > 0 ? 'attempts-exhausted' : 'unknown';
    if (!hasBudget(chosen)) return 'attempts-exhausted';
    return `${judge(chosen, code)} ${chosen.v.id}`;
  }

  function confirm(each: ModelCode, code: string): string {
    if (each.confirmed) return 'already-confirmed';
    if (!isLive(each)) return 'expired';
    return each.guesses > 0 && hasBudget(each) ? judge(each, code) : 'attempts-exhausted';
  }

  return {
    /** Takes a step in the model and in the store, a millisecond after the one before. */
    async take(step: Step): Promise<{ expected: unknown; got: unknown }> {
      now++;
      const each = 'nth' in step ? all[step.nth % Math.max(1, all.length)] : undefined;
      if ('nth' in step && each === undefined) return { expected: 'none', got: 'none' };
      switch (step.kind) {
        case 'wait':
          now += step.ms;
          return { expected: 'waited', got: 'waited' };
        case 'issue': {
          const { id } = newVerification({ createdAt: now });
          const made = { id, accountId, createdAt: now, guesses: GUESSES, codeMac: macOf(id, step.code) };
          const v = await issueOne(store, {
            ...made,
            destinationHash: hashOf(step.number),
            byNumber: true,
          });
          all.push({ v, code: step.code, guesses: GUESSES, confirmed: false, ended: false });
          return { expected: 'issued', got: 'issued' };
        }
        case 'check': {
          const expected = check(step.number, step.code);
          const number = {
            ...{ accountId, test: false, now },
            ...{ destinationHash: hashOf(step.number), earlierDestinationHashes: [] },
          };
          const live = await store.findLive(number);
          const candidates = live.map(({ id }) => ({
            id,
            codeMac: macOf(id, step.code),
            earlierCodeMacs: [],
          }));
          const outcome = await store.confirmByNumber({ ...number, candidates });
          return { expected, got: 'id' in outcome ? `${outcome.kind} ${outcome.id}` : outcome.kind };
        }
        case 'confirm': {
          const expected = each && confirm(each, step.code);
          const id = each?.v.id ?? '';
          const mac = { codeMac: macOf(id, step.code), earlierCodeMacs: [] };
          const guess = { id, accountId, test: false, now, byNumber: true as const, ...mac };
          return { expected, got: (await store.confirm(guess)).kind };
        }
        case 'cancel': {
          const expected = each !== undefined && isLive(each);
          if (expected) each.ended = true;
          return {
            expected,
            got: await store.cancel({ id: each?.v.id ?? '', accountId, test: false, now }),
          };
        }
      }
    },
  };
}
