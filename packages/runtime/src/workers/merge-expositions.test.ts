import { expect, it } from 'vitest';
import { createMetrics } from '../metrics/metrics.ts';
import { mergeExpositions } from './merge-expositions.ts';
import { workersWanted } from './worker-settings.ts';

async function textOf(workerNumber: number | undefined, count: number): Promise<string> {
  const metrics = createMetrics({ service: 'test', workerNumber });
  metrics.count('requests_total', { route: '/' }, count);
  metrics.observe('request_seconds', 0.02);
  if (workerNumber === 2) metrics.gauge('only_here', 7);
  return (await metrics.render()).body;
}

it('joins the metrics of several processes, each metric with one heading and the series of all', async () => {
  const texts = [await textOf(undefined, 1), await textOf(1, 2), await textOf(2, 3)];
  const merged = mergeExpositions(texts);
  const values = merged.split('\n').filter((line) => line.startsWith('requests_total{'));
  expect(values).toEqual([
    'requests_total{route="/",service="test"} 1',
    'requests_total{route="/",service="test",worker_number="1"} 2',
    'requests_total{route="/",service="test",worker_number="2"} 3',
  ]);
  expect(merged.match(/^# TYPE request_seconds histogram$/gm)).toHaveLength(1);
  expect(merged).toContain('only_here{service="test",worker_number="2"} 7');
  const samples = (text: string) => text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  expect(samples(merged).toSorted()).toEqual(texts.flatMap(samples).toSorted());
});

it('auto is as many workers as there are cores, and a number is taken as it is', () => {
  expect(workersWanted('auto', 1)).toEqual({ count: 1, isAuto: true });
  expect(workersWanted('auto', 8)).toEqual({ count: 8, isAuto: true });
  expect(workersWanted('3', 8)).toEqual({ count: 3, isAuto: false });
});
