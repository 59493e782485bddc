import { connectors } from '@pulsewire/providers';
import { expect, it } from 'vitest';
import { isPullDue, isRereadDue } from './poll-interval.ts';

const now = new Date('2026-03-12T16:00:00Z');
const minutesAgo = (minutes: number) => new Date(now.getTime() - minutes * 60_000).toISOString();
const daysAgo = (days: number) => minutesAgo(days * 24 * 60);

/** The fewest minutes since its last poll after which a pull is due. */
function dueAfter(slug: string, name: string, noticedAt: string | null): number | undefined {
  const connector = connectors.find((one) => one.slug === slug);
  const pull = connector?.pulls.find((one) => one.name === name);
  if (!connector || !pull) throw new Error(`${slug} has no pull ${name}`);
  return [0, 144, 1152].find((minutes) => isPullDue(connector, pull, { polledAt: minutesAgo(minutes), rereadAt: null }, noticedAt, now));
}

it('polls every three hours what notifications announce, unless none has come within a week', () => {
  expect([null, daysAgo(6.9), daysAgo(7.1)].map((noticedAt) => dueAfter('oura', 'sleep', noticedAt))).toEqual([0, 144, 0]);
});

it('polls what no notification announces as often as its connection', () => {
  expect(dueAfter('oura', 'heartrate', daysAgo(1))).toBe(0);
  expect(dueAfter('fitbit', 'ecg', daysAgo(1))).toBe(0);
  expect(dueAfter('wahoo', 'workouts', null)).toBe(0);
});

it('includes announced pulls in each poll where polls are over three hours apart', () => {
  expect(dueAfter('polar', 'sleep', daysAgo(1))).toBe(0);
});

it('polls a profile once a day', () => {
  expect([dueAfter('fitbit', 'profile', null), dueAfter('zwift', 'profile', null)]).toEqual([1152, 1152]);
});

it('reads all days again every three hours, and at first', () => {
  const states = [null, minutesAgo(143), minutesAgo(144)].map((rereadAt) => ({ polledAt: now.toISOString(), rereadAt }));
  expect(states.map((state) => isRereadDue(state, now))).toEqual([true, false, true]);
});

it('distrusts a time in the future, which a clock that was ahead has recorded', () => {
  expect(isRereadDue({ polledAt: null, rereadAt: minutesAgo(-60) }, now)).toBe(true);
});
