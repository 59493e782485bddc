import { expect, it } from 'vitest';
import { nightRecords, splitNights } from './sleep-nights.ts';

it('builds a night of more stages than a call may have arguments', () => {
  const startMs = Date.UTC(2026, 0, 5);
  const night = Array.from({ length: 300_000 }, (_, index) => ({
    itemId: '',
    parentId: '',
    sourceType: 'watch',
    appId: 'com.apple.health',
    stage: index % 2 === 0 ? 'light' : 'deep',
    startMs: startMs + index * 100,
    endMs: startMs + (index + 1) * 100,
    offset: 0,
    score: null,
  }));
  const [sleep] = nightRecords({ userId: 'b3f0c1de-0000-4000-8000-000000000001', provider: 'health_connect' }, night);
  expect(sleep?.data).toMatchObject({ duration: 30_000, light: 15_000, deep: 15_000 });
});

it('prefers the stages of the longest of sessions with one start, and keeps what only a shorter one has', () => {
  const startMs = Date.UTC(2026, 0, 5);
  const part = (parentId: string, stage: string, from: number, to: number) => ({
    itemId: `${parentId}-${from}`,
    parentId,
    sourceType: 'watch',
    appId: 'com.example.band',
    stage,
    startMs: startMs + from * 60_000,
    endMs: startMs + to * 60_000,
    offset: 0,
    score: null,
  });
  const [early, late] = [
    [part('a', 'light', 0, 20), part('a', 'awake', 20, 40)],
    [part('b', 'deep', 0, 30), part('b', 'rem', 35, 90)],
  ];
  for (const night of [
    [...early, ...late],
    [...late, ...early],
  ]) {
    const [sleep] = splitNights(night).flatMap((own) =>
      nightRecords({ userId: 'b3f0c1de-0000-4000-8000-000000000001', provider: 'health_connect' }, own),
    );
    expect(sleep?.data).toMatchObject({ deep: 1800, awake: 300, rem: 3300, light: 0 });
  }
});
