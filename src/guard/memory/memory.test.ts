import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { BASELINE_MEMORY, NUMBER, STAGES } from '../parameters.ts';
import { PLACE_KINDS } from '../request-places.ts';
import { Baseline } from './baseline.ts';
import { mix, nameOf } from './hash.ts';
import { Intents } from './intents.ts';
import { NumberTable } from './number-table.ts';
import { Place } from './place.ts';
import { PlaceTable } from './place-table.ts';

const START = Date.UTC(2026, 10, 1);
const DAY = 86_400_000;

suite('places', () => {
  test('fade by half in each memory', () => {
    const table = new PlaceTable(64, START);
    const place = table.read(table.claim(1, 7, 0, START), START, new Place(), DAY);
    place.trials.fill(8);
    table.write(place);
    const later = table.read(place.slot, START + 3 * DAY, new Place(), DAY);
    assert.equal(later.trials[2].toFixed(3), '4.000');
    assert.ok(later.trials[0] < 1e-9);
  });

  test('200,000 are kept at once, and memory does not grow beyond', () => {
    const table = new PlaceTable(2 ** 19, START);
    const names = Array.from({ length: 200_000 }, (_, index) => nameOf(0, `${index}`));
    for (const { a, b } of names) table.claim(a, b, 0, START);
    const lost = names.filter(({ a, b }) => table.find(a, b) < 0).length;
    assert.ok(lost < 2_000, `${lost}`);
  });

  test('the one idle for longest makes room, a closed one stays', () => {
    const table = new PlaceTable(8, START);
    const place = new Place();
    for (let tag = 1; tag <= 8; tag++) table.claim(0, tag, 0, START + tag * 1_000);
    table.read(table.find(0, 1), START + 1_000, place, DAY);
    place.heat = 2;
    table.write(place);
    table.claim(0, 9, 0, START + 60_000);
    assert.ok(table.find(0, 1) >= 0 && table.find(0, 9) >= 0);
    assert.equal(table.find(0, 2), -1);
  });
});

suite('numbers', () => {
  const { a, b } = nameOf(1, 'hash');

  test('known after a confirmation, until one is asked for in vain', () => {
    const numbers = new NumberTable(64, START);
    const slot = numbers.claim(a, b);
    numbers.ask(slot, 1, START);
    assert.equal(numbers.isKnown(slot, 1, START), false);
    numbers.confirm(slot, 1, START);
    numbers.ask(slot, 1, START + 1_000);
    assert.equal(numbers.isKnown(slot, 1, START + 1_000), true);
    numbers.ask(slot, 1, START + 2_000);
    assert.equal(numbers.isKnown(slot, 1, START + 2_000), false);
  });

  test('another account than that of the open code is bombing, and then everybody is, for a while', () => {
    const numbers = new NumberTable(64, START);
    const slot = numbers.claim(a, b);
    numbers.ask(slot, 1, START);
    assert.equal(numbers.isOfAnother(slot, 1, START), false);
    assert.equal(numbers.isOfAnother(slot, 2, START), true);
    numbers.disown(slot);
    assert.equal(numbers.isOfAnother(slot, 1, START), true);
    assert.equal(numbers.isOfAnother(slot, 2, START + NUMBER.otherAccountFor + 1_000), false);
  });
});

suite('open codes', () => {
  test('are judged once at each stage, in order, however many there are', () => {
    const intents = new Intents(2 ** 14);
    const places = new Int32Array(PLACE_KINDS.length).fill(-1);
    for (let index = 0; index < 10_000; index++) {
      intents.add({
        at: START + index,
        places,
        country: index % 7,
        soon: 0.5,
        later: 0.8,
        probe: false,
        again: false,
        teaching: 0.5,
      });
    }
    for (const stage of [0, 1, 2] as const) {
      for (let ticket = 0; ticket < 10_000; ticket++) {
        assert.equal(intents.dueAt(stage), START + ticket + STAGES[stage]);
        assert.equal(intents.take(stage), ticket);
        if (ticket % 1_000 === 0) assert.equal(intents.country(ticket), ticket % 7);
      }
      assert.deepEqual([intents.dueAt(stage), intents.take(stage)], [Number.POSITIVE_INFINITY, undefined]);
    }
    assert.equal(intents.stageOf(9_999), undefined);
  });
});

suite('usual', () => {
  test('shrinks to the installation, and is never learnt lower than the poorest country', () => {
    const baseline = new Baseline();
    const before = baseline.conversion('DE');
    for (let index = 0; index < 200; index++) {
      baseline.learnTrial('FR', 1);
      if (index % 10 !== 0) baseline.learnConfirmed('FR', 9_000, 1);
      baseline.learnTrial('XX', 1);
    }
    assert.ok(baseline.conversion('FR') > 0.8);
    assert.equal(baseline.conversion('XX'), 0.3);
    assert.ok(baseline.conversion('DE') < baseline.conversion('FR') && before < baseline.conversion('FR'));
  });

  test('follows a change, because old counts fade', () => {
    const baseline = new Baseline();
    for (let index = 0; index < 3 * BASELINE_MEMORY; index++) {
      baseline.learnTrial('FR', 1);
      if (index % 5 !== 0) baseline.learnConfirmed('FR', 9_000, 1);
    }
    for (let index = 0; index < 2 * BASELINE_MEMORY; index++) baseline.learnTrial('FR', index % 2);
    assert.ok(baseline.conversion('FR') < 0.6, `${baseline.conversion('FR')}`);
  });

  test('quick countries are learnt as quick', () => {
    const baseline = new Baseline();
    const before = baseline.shareBy('FR', 0);
    for (let index = 0; index < 100; index++) baseline.learnConfirmed('FR', 5_000, 1);
    assert.ok(baseline.shareBy('FR', 0) > before + 0.3);
  });
});

test('names spread over all sets', () => {
  const sets = new Set(Array.from({ length: 1_000 }, (_, index) => nameOf(3, `+4915${index}`).a & 255));
  assert.ok(sets.size > 240, `${sets.size}`);
  assert.notDeepEqual(nameOf(1, 'a'), nameOf(2, 'a'));
  assert.notEqual(mix(1), mix(2));
});
