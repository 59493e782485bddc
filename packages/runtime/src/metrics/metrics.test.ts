import { expect, it } from 'vitest';
import { createMetrics } from './metrics.ts';

function create() {
  const misuses: string[] = [];
  const metrics = createMetrics({ service: 'test', onMisuse: ({ name, reason }) => misuses.push(`${name}: ${reason}`) });
  return { metrics, misuses };
}

it('renders counters, gauges and histograms in the Prometheus format', async () => {
  const { metrics } = create();
  metrics.count('delivery_attempts_total', { outcome: 'ok' });
  metrics.count('delivery_attempts_total', { outcome: 'ok' }, 2);
  metrics.gauge('log_lag_events', 7);
  metrics.observe('delivery_attempt_seconds', 0.02);
  const { body, contentType } = await metrics.render();
  expect(contentType).toContain('text/plain');
  expect(body).toContain('delivery_attempts_total{outcome="ok",service="test"} 3');
  expect(body).toContain('log_lag_events{service="test"} 7');
  expect(body).toContain('delivery_attempt_seconds_bucket{le="0.01",service="test"} 0');
  expect(body).toContain('delivery_attempt_seconds_bucket{le="0.025",service="test"} 1');
});

it('keeps registries independent of each other', async () => {
  const [one, two] = [create(), create()];
  one.metrics.count('pulls_total');
  expect((await two.metrics.render()).body).not.toContain('pulls_total');
});

it('rejects a label that identifies individual things, and reports it once', async () => {
  const { metrics, misuses } = create();
  for (let i = 0; i < 3; i++) metrics.count('pulls_total', { user_id: `u${i}` });
  expect((await metrics.render()).body).not.toContain('u1');
  expect(misuses).toEqual(['pulls_total: label user_id has no bound']);
});

it('ignores a use with other labels or of another kind, and continues counting', async () => {
  const { metrics, misuses } = create();
  metrics.count('pulls_total', { outcome: 'ok' });
  metrics.count('pulls_total', { result: 'ok' });
  metrics.gauge('pulls_total', 5, { outcome: 'ok' });
  metrics.count('pulls_total', { outcome: 'ok' });
  metrics.count('bad name!');
  expect((await metrics.render()).body).toContain('pulls_total{outcome="ok",service="test"} 2');
  expect(misuses).toHaveLength(2);
});

it('bounds the combinations of label values', async () => {
  const { metrics, misuses } = create();
  for (let i = 0; i < 2600; i++) metrics.count('calls_total', { host: `h${i}` });
  const { body } = await metrics.render();
  expect(body).toContain('calls_total{host="other",service="test"} 100');
  expect(body.match(/^calls_total\{/gm)).toHaveLength(2501);
  expect(misuses).toHaveLength(1);
});
