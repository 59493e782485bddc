import { expect, it } from 'vitest';
import { settingsOfWorkers } from './settings-of-workers.ts';

it('workers together make no more attempts and hold no more events than one dispatcher', () => {
  const bounds = { concurrency: 2048, endpointConcurrency: 64, unrecordedEventsMax: 8192 };
  expect(settingsOfWorkers(bounds, { count: 4, connectionsMax: 6 })).toEqual({
    DATABASE_CONNECTIONS_MAX: '6',
    WEBHOOK_CONCURRENCY: '512',
    WEBHOOK_ENDPOINT_CONCURRENCY: '16',
    WEBHOOK_WINDOW_EVENTS: '2048',
  });
});
