import { expect, test } from 'vitest';
import { killedWorkers } from './scenarios/killed-workers.ts';
import { lostCommits } from './scenarios/lost-commits.ts';

test('loses nothing and repeats nothing unnecessarily while responses to COMMIT are lost', { timeout: 200_000 }, async () => {
  const lines: string[] = [];
  const result = await lostCommits.run({ seconds: 4, seed: 7, pauseMs: 15, isShort: true, report: (line) => void lines.push(line) });
  expect(result.problems, JSON.stringify([result.figures, lines])).toEqual([]);
  expect(result.lost).toBe(0);
});

test('loses nothing while workers are killed and frozen and parents are killed, and leaves no orphans', { timeout: 200_000 }, async () => {
  const lines: string[] = [];
  const result = await killedWorkers.run({ seconds: 8, seed: 7, pauseMs: 15, isShort: true, report: (line) => void lines.push(line) });
  expect(result.problems, JSON.stringify([result.figures, lines])).toEqual([]);
  expect(result.lost).toBe(0);
});
