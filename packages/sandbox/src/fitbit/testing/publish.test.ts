import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createManualClock } from '@pulsewire/kernel';
import { afterEach, expect, test } from 'vitest';
import { createFitbitPerson } from '../person/person.ts';
import { ada, clientOf, startedAt, startSimulator } from './client.ts';
import { createSimulatorClock } from '../../model/simulator-clock.ts';
import { createRecording } from '../../recording/recording.ts';

const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

async function start(options: Parameters<typeof startSimulator>[0] = {}) {
  const started = await startSimulator(options);
  closers.push(() => started.simulator.close());
  const tokens = await started.exchange();
  type Steps = { 'activities-steps-intraday': { dataset: { time: string; value: number }[] } };
  const minutes = async () =>
    (await started.read<Steps>('/1/user/-/activities/steps/date/2026-11-20/1d/1min.json', tokens))['activities-steps-intraday'].dataset;
  return { ...started, tokens, minutes };
}

const timeOf = (minute: number) => `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}:00`;

test('revised minutes show their new value and no other minute changes', async () => {
  const { simulator, minutes } = await start();
  const before = await minutes();
  const { revisions } = simulator.publish({ account: 'Ada', minutes: 0, revise: 3 });
  expect(revisions.length).toBe(3);
  const expected = new Map(before.map((point) => [point.time, point.value]));
  for (const revision of revisions) {
    expect(revision.steps).toBeGreaterThan(expected.get(timeOf(revision.minute)) ?? 0);
    expected.set(timeOf(revision.minute), revision.steps);
  }
  expect(new Map((await minutes()).map((point) => [point.time, point.value]))).toEqual(expected);
});

test('an incomplete last minute is sent again with its whole value', () => {
  const clock = createManualClock(startedAt);
  // A whole day behind, so that there are minutes with steps to halve.
  const person = createFitbitPerson(
    { ...ada, backlogMinutes: 1440 },
    { recording: createRecording(), clock: createSimulatorClock({ clock }), random: () => 0 },
  );
  let completed = 0;
  for (let step = 0; step < 1440; step++) {
    const { incomplete } = person.snapshot();
    for (const revision of person.publish({ minutes: 1, revise: 0, leavesIncomplete: true }).revisions) {
      completed += 1;
      expect(person.recordedDay(revision.date)?.steps[revision.minute]).toBe(revision.steps);
      expect(incomplete?.steps).toBe(Math.floor(revision.steps / 2));
    }
  }
  expect(completed).toBeGreaterThan(50);
});

test('a night is announced as sleep on the day when its end becomes known', () => {
  const clock = createManualClock(startedAt);
  const person = createFitbitPerson(
    { ...ada, recordedUser: '5553957443', backlogMinutes: 3 * 1440 },
    { recording: createRecording(), clock: createSimulatorClock({ clock }), random: () => 0 },
  );
  const nights = new Set<string>();
  for (let step = 0; step < 3 * 24; step++) {
    for (const { kind, date } of person.publish({ minutes: 60, revise: 0, leavesIncomplete: false }).changes)
      if (kind === 'sleep') nights.add(date);
  }
  expect([...nights]).toEqual(['2026-11-18', '2026-11-19', '2026-11-20']);
});

test('publishing stops at the present', async () => {
  const { simulator, minutes } = await start();
  expect(simulator.publish({ account: 'Ada', minutes: 600 }).minutesAppeared).toBe(60);
  expect(simulator.publish({ account: 'Ada', minutes: 600 })).toMatchObject({ minutesAppeared: 0, changes: [] });
  expect((await minutes()).at(-1)?.time).toBe('14:59:00');
});

test('a restarted simulator keeps tokens, subscriptions, revisions and sync positions', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'pulsewire-simulator-'));
  const stateFile = path.join(folder, 'fitbit.json');
  const first = await start({ stateFile });
  await first.api('/1/user/-/sleep/apiSubscriptions/7.json', first.tokens, { method: 'POST' });
  first.simulator.publish({ account: 'Ada', minutes: 30, revise: 5 });
  const before = await first.minutes();
  expect((await stat(stateFile)).mode & 0o077).toBe(0);

  // The first simulator is not closed: the state must be written at each step.
  const second = await startSimulator({ stateFile });
  closers.push(
    () => second.simulator.close(),
    () => rm(folder, { recursive: true }),
  );
  const client = clientOf(second.simulator);
  type Steps = { 'activities-steps-intraday': { dataset: object[] } };
  const after = await client.read<Steps>('/1/user/-/activities/steps/date/2026-11-20/1d/1min.json', first.tokens);
  expect(after['activities-steps-intraday'].dataset).toEqual(before);
  expect(await client.read('/1/user/-/apiSubscriptions.json', first.tokens)).toMatchObject({ apiSubscriptions: [{ subscriptionId: '7' }] });
  expect((await client.refresh(first.tokens.refresh_token)).status).toBe(200);
});
