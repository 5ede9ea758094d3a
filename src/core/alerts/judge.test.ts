import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import fc from 'fast-check';
import { type AlertJudgement, type Case, judgeAlert, REMIND_MS, type Standing } from './judge.ts';

const MINUTE = 60_000;
const TIMING = { holdMs: 5 * MINUTE, recoverMs: 15 * MINUTE, passing: false };

interface Step {
  readonly afterMs: number;
  readonly level: Case['level'];
}

interface Seen {
  readonly at: number;
  readonly judged: AlertJudgement;
  readonly before: Standing | undefined;
}

/** Looks again and again, as a node does. */
function run(steps: readonly Step[], timing: Case['timing'] = TIMING): Seen[] {
  let now = 1_000_000_000_000;
  let standing: Standing | undefined;
  return steps.map(({ afterMs, level }) => {
    now += afterMs;
    const before = standing;
    const judged = judgeAlert({ standing, level, now, timing });
    standing = judged.kind === 'stands' ? judged.standing : undefined;
    return { at: now, judged, before };
  });
}

const noticesOf = (seen: readonly Seen[]) =>
  seen.flatMap(({ judged }) => (judged.kind === 'nothing' ? [] : (judged.notice ?? [])));

const each = (count: number, level: Case['level']): Step[] =>
  Array.from({ length: count }, () => ({ afterMs: MINUTE, level }));

suite('an alert', () => {
  test('fires after it was bad for a while, once, and is over after it was good for a while', () => {
    const seen = run([...each(6, 'bad'), ...each(10, 'bad'), ...each(16, undefined)]);
    assert.deepEqual(noticesOf(seen), ['firing', 'recovered']);
    assert.equal(noticesOf(seen.slice(0, 5)).length, 0, 'not before');
    assert.equal(seen.at(-1)?.judged.kind, 'over');
    assert.equal(seen.at(-2)?.judged.kind, 'stands', 'not before');
  });

  test('that was bad for a moment is forgotten, and nobody hears of it', () => {
    const seen = run([...each(4, 'bad'), ...each(1, undefined), ...each(4, 'bad')]);
    assert.deepEqual(noticesOf(seen), []);
    assert.equal(seen[4]?.judged.kind, 'nothing');
  });

  test('that flickers while it fires is told once', () => {
    const flicker = Array.from({ length: 50 }, () => [...each(3, undefined), ...each(2, 'bad')]).flat();
    assert.deepEqual(noticesOf(run([...each(6, 'bad'), ...flicker])), ['firing']);
  });

  test('that is nearly bad neither fires nor is over', () => {
    assert.deepEqual(noticesOf(run(each(60, 'near'))), []);
    assert.deepEqual(noticesOf(run([...each(6, 'bad'), ...each(60, 'near')])), ['firing']);
    assert.deepEqual(noticesOf(run([...each(2, 'bad'), ...each(60, 'near')])), []);
  });

  test('that goes on is told again after a day', () => {
    const hours = Array.from({ length: 50 }, () => ({ afterMs: 60 * MINUTE, level: 'bad' as const }));
    assert.deepEqual(noticesOf(run([...each(6, 'bad'), ...hours])), ['firing', 'reminder', 'reminder']);
  });

  test('of a moment has no end and no reminder', () => {
    const timing = { holdMs: 0, recoverMs: 0, passing: true };
    const days = Array.from({ length: 3 }, () => ({ afterMs: REMIND_MS, level: 'bad' as const }));
    const seen = run([...days, { afterMs: MINUTE, level: undefined }], timing);
    assert.deepEqual(noticesOf(seen), ['firing']);
    assert.equal(seen.at(-1)?.judged.kind, 'over');
  });

  test('judged by a clock that was corrected is judged again', () => {
    const now = 1_000_000_000_000;
    const ahead = now + 10 * REMIND_MS;
    const standing = { badSince: ahead, firingSince: ahead, goodSince: ahead, toldAt: ahead };
    const judged = judgeAlert({ standing, level: 'bad', now, timing: TIMING });
    assert.deepEqual(judged, {
      kind: 'stands',
      standing: { badSince: now, firingSince: now, goodSince: null, toldAt: now },
      notice: undefined,
    });
  });
});

const steps = fc.array(
  fc.record({
    afterMs: fc.integer({ min: 1, max: 3 * 60 * MINUTE }),
    level: fc.constantFrom('bad' as const, 'near' as const, undefined),
  }),
  { maxLength: 300 },
);

test('whatever is found, no end is told without its beginning', () => {
  fc.assert(
    fc.property(steps, (found) => {
      const notices = noticesOf(run(found)).filter((kind) => kind !== 'reminder');
      let open = false;
      for (const kind of notices) {
        assert.equal(kind, open ? 'recovered' : 'firing');
        open = !open;
      }
    }),
  );
});

test('whatever is found, nothing fires before it was bad for the whole hold, or is over before it was good as long', () => {
  fc.assert(
    fc.property(steps, (found) => {
      let goodMs = 0;
      let badMs: number | undefined;
      for (const [index, { judged, before }] of run(found).entries()) {
        const { level, afterMs = 0 } = found[index] ?? {};
        badMs =
          level === undefined
            ? undefined
            : badMs === undefined
              ? level === 'bad'
                ? 0
                : undefined
              : badMs + afterMs;
        goodMs = level === undefined ? goodMs + afterMs : 0;
        const fires = judged.kind === 'stands' && judged.standing.firingSince !== null;
        if (fires && before?.firingSince == null) assert.ok((badMs ?? -1) >= TIMING.holdMs);
        // The first good look begins the time.
        if (judged.kind === 'over') assert.ok(goodMs >= TIMING.recoverMs);
      }
    }),
  );
});

test('whatever is found, one alert is told at most once a day, and at its end', () => {
  fc.assert(
    fc.property(steps, (found) => {
      let toldAt: number | undefined;
      for (const { at, judged, before } of run(found)) {
        if (before === undefined) toldAt = undefined;
        if (judged.kind !== 'stands' || judged.notice === undefined) continue;
        if (toldAt !== undefined) assert.ok(at - toldAt >= REMIND_MS);
        toldAt = at;
      }
    }),
  );
});
