/**
 * A naive model of the service, written from its documents and from nothing else: plain lists, looked through from the
 * beginning. What the documents leave open is allowed, with a comment that says so. After `outcome-unknown` there are
 * two pasts: so it holds a small set of states, and a happening is wrong only if it is in all of them.
 */
import type { Happening } from '../happening.ts';
import type { FixedOptions, LiveOptions } from '../options.ts';
import { appCheck, appStart } from './application.ts';
import { askOf } from './asking.ts';
import { logging } from './audit.ts';
import { validate } from './camara.ts';
import { testCarrier } from './carrier-tests.ts';
import { crashed, reported, restarted, sent, settle, took } from './carriers.ts';
import { Complaint } from './common.ts';
import { confirm } from './confirming.ts';
import { crowd } from './endings.ts';
import { webhooks } from './endpoints.ts';
import { type Due, hear, untold } from './events.ts';
import { rules } from './guard.ts';
import { hold, owed } from './invariants.ts';
import { copy, exported, list, reveal } from './lists.ts';
import { look } from './looking.ts';
import { explained } from './lookups.ts';
import { asMember, member, signing } from './members.ts';
import { blocks, clockSet, disk, erase, keys, keyword, reload, settings } from './operator.ts';
import { questioned } from './questions.ts';
import { sendCode } from './sending.ts';
import type { Command, Judged, State } from './state.ts';
import { beginning } from './state.ts';
import { SETTLE } from './table.ts';
import { askedBack, settleAsked } from './taking-back.ts';
import { check, pendingOnly } from './twilio.ts';
import { feedback, judged, messageFeedback, opened } from './verdicts.ts';

const RULES: Readonly<Partial<Record<Command['command']['do'], Judged>>> = {
  ...{ verify: sendCode, hook: sendCode, 'twilio-send': sendCode, 'camara-send': sendCode },
  ...{ confirm, look, 'twilio-check': check, 'twilio-fetch': pendingOnly, 'twilio-update': pendingOnly },
  'camara-check': validate,
  ...{ 'app-start': appStart, 'app-check': appCheck },
  ...{ keyword, reload, settings, erase, copy, block: blocks, unblock: blocks },
  ...{ 'make-key': keys, 'rotate-key': keys, 'bound-key': keys, 'change-key': keys, 'revoke-key': keys },
  ...{ 'change-webhook': webhooks, 'enable-webhook': webhooks, 'disable-webhook': webhooks },
  ...{ 'rotate-webhook': webhooks, 'test-webhook': webhooks },
  ...{ 'replay-webhook': webhooks, export: exported, 'guard-rule': rules, 'lift-rule': rules },
  ...{ member, list, reveal, 'sign-in': signing, prove: signing, 'sign-out': signing },
  'test-carrier': testCarrier,
  ...{ feedback, 'twilio-feedback': messageFeedback, judge: judged, open: opened },
  restart: restarted,
  wait: (s) => [s],
  clock: clockSet,
  ...{ disk, crowd },
};
const PASTS = 16;
const numbersOf = (group: readonly Command[]) => new Set(group.map((it) => askOf(it)?.to ?? ''));

export class Model {
  states: readonly State[];
  /** More pasts are possible than are kept: the history should end here, because nothing later can be judged. */
  lost = false;

  constructor(fixed: FixedOptions, live: LiveOptions, secrets: ReadonlyMap<string, string> = new Map()) {
    this.states = [beginning(fixed, live, secrets)];
  }

  copy(): Model {
    const copy: Model = Object.create(Model.prototype);
    return Object.assign(copy, { states: this.states.map((it) => structuredClone(it)), lost: this.lost });
  }

  /** Takes in what happened: undefined if the documents allow it, or else what is wrong, in a sentence. */
  judge(happening: Happening, group: readonly Command[] = []): string | undefined {
    const { at } = happening;
    if (happening.kind === 'command' && group.length === 0) {
      const before = this.begin([happening]);
      if (before !== undefined) return before;
    }
    const now = happening.kind === 'command' ? happening : { at, until: at };
    const wrong = this.each((s) => {
      s.now = Math.max(s.now, now.until);
      settleAsked(s, at);
      if (happening.kind === 'command') {
        const rule = RULES[happening.command.do];
        if (rule === undefined) return [s];
        const log = logging(s, happening);
        const after = asMember(rule, s, happening, group);
        for (const each of after) log(each);
        return after;
      }
      if (happening.kind === 'sent') sent(s, happening);
      else if (happening.kind === 'questioned') questioned(s, happening);
      else if (happening.kind === 'took') took(s, happening);
      else if (happening.kind === 'asked back') askedBack(s, happening);
      else if (happening.kind === 'reported') return reported(s, happening);
      else s.early.push(happening);
      return [s];
    });
    return wrong ?? this.each((s) => hold(s, now));
  }

  /**
   * Before commands at once: the answers until then explain what carriers and endpoints got until then, but for what may have gone to the
   * numbers that are `asked` for already.
   */
  begin(group: readonly Command[], asked: ReadonlySet<string> = numbersOf(group)): string | undefined {
    const start = Math.min(...group.map((it) => it.at));
    return this.each((s) => {
      settle(s, start, asked);
      explained(s, start);
      settleAsked(s, start);
      hear(s, start);
      return [s];
    });
  }
  /** After all is quiet: whether every message and every event is explained. */
  end(): string | undefined {
    return this.begin([]);
  }

  /** A process of the service died: the world says so, since no document excludes that it sends or tells again then. */
  crashed(at: number): void {
    for (const s of this.states) crashed(s, at, SETTLE);
  }

  /** Who surely may read the audit log of an account. */
  readerOf(account: string): string | undefined {
    const mayRead = (s: State, name: string) =>
      ['developer', 'owner'].includes(s.people.get(name)?.roles[account] ?? 'none');
    const names = [...(this.states[0]?.people.keys() ?? [])];
    return names.find((name) => this.states.every((s) => mayRead(s, name)));
  }

  /** After `end`: codes that were promised and are still to be sent; of several pasts the one that owes least. */
  owed(at: number): readonly Due[] {
    return fewest(this.states.map((it) => owed(it, at)));
  }
  untold(at: number): readonly Due[] {
    return fewest(this.states.map((it) => untold(it, at)));
  }

  private each(step: (s: State) => readonly State[]): string | undefined {
    if (this.lost) return undefined;
    const next: State[] = [];
    let why: string | undefined;
    for (const s of this.states) {
      try {
        next.push(...step(s));
      } catch (error) {
        if (!(error instanceof Complaint)) throw error;
        why ??= error.message;
      }
    }
    if (next.length === 0) return why;
    this.lost = next.length > PASTS;
    this.states = next.slice(0, PASTS);
    return undefined;
  }
}

const fewest = (lists: readonly (readonly Due[])[]): readonly Due[] =>
  lists.reduce((least, it) => (it.length < least.length ? it : least));
