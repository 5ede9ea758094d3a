import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Command } from '../command.ts';
import { Story } from '../model/story.ts';
import { MINUTE } from '../model/table.ts';
import { fullBudgets } from './situations/budgets.ts';
import { changedCeiling } from './situations/ceilings.ts';
import { stillCounted } from './situations/counted.ts';
import { overMeanwhile, reportedUndelivered, twoSenders } from './situations/delivery.ts';
import { erasedUnderWay } from './situations/erasure.ts';
import { guessesOverMidnight, usedUpGuesses } from './situations/guesses.ts';
import { crowded, shortCodes } from './situations/missed-calls.ts';
import { takenBack } from './situations/rcs.ts';
import { stoppedCountry } from './situations/rules.ts';
import type { Begin } from './situations/situation.ts';
import { undone } from './situations/undone.ts';

/** All commands of a situation, in a service that takes everything. */
function played(begin: Begin, chance: number): readonly Command[] {
  const story = new Story();
  story.wait(MINUTE);
  const commands: Command[] = [];
  const state = () => story.model.states[0] ?? assert.fail('nothing is possible');
  const situation = begin(state(), (n) => chance % n) ?? assert.fail('it did not begin');
  for (let step = situation.next(); step.done !== true; step = situation.next(state())) {
    for (const command of [step.value].flat()) play(story, command, commands.push(command));
    assert.ok(commands.length < 60);
  }
  return commands;
}

function play(story: Story, command: Command, count: number): void {
  if (command.do === 'verify') {
    story.verify(command);
    story.sent(command.code ?? String(100_000 + count), { to: command.to, reference: `m${count}` });
  } else if (command.do !== 'carrier' && command.do !== 'report') story.does(command);
  if (command.do === 'wait') story.wait(command.ms);
}

test('each situation comes to its end, whatever chance chooses in it', () => {
  for (const begin of [
    ...[fullBudgets, overMeanwhile, reportedUndelivered, twoSenders, usedUpGuesses],
    ...[guessesOverMidnight, erasedUnderWay, undone, stillCounted, changedCeiling, stoppedCountry],
    ...[crowded, shortCodes, takenBack],
  ])
    for (let chance = 0; chance < 20; chance++) assert.ok(played(begin, chance).length > 2);
});

test('who asked for a code before somebody sent STOP asks again', () => {
  const commands = played(twoSenders, 0);
  const stop = commands.findIndex((it) => it.do === 'keyword' && it.word === 'STOP');
  const keys = (list: readonly Command[]) => list.flatMap((it) => (it.do === 'verify' ? it.key : []));
  assert.deepEqual(keys(commands.slice(0, stop)), ['a-live', 'b-live']);
  assert.deepEqual(keys(commands.slice(stop)), ['a-live', 'b-live']);
});

test('what a carrier took is reported undelivered while all of them are busy', () => {
  const commands = played(reportedUndelivered, 0);
  const at = commands.findIndex((it) => it.do === 'report' && it.status === 'undelivered');
  assert.deepEqual(commands[at - 1], { do: 'carrier', carrier: 'two', conduct: 'failed for now' });
});
