import { expect, it } from 'vitest';
import { nightRecords } from './sleep-nights.ts';

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
