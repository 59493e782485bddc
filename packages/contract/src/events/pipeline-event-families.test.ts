import { expect, test } from 'vitest';
import { allEventTypes, isEventType } from './event-types.ts';
import { isInAllTypes, isPipelineEvent, pipelineEventFamilies } from './pipeline-event-families.ts';

test('events for pipelines are not event types of webhooks and not part of "all types"', () => {
  for (const { eventType } of pipelineEventFamilies) {
    expect(isEventType(eventType)).toBe(false);
    expect(isInAllTypes(eventType)).toBe(false);
  }
  expect(allEventTypes().filter(isPipelineEvent)).toEqual([]);
  expect(isInAllTypes('provider.connection.created')).toBe(true);
  expect(isInAllTypes('endpoint.disabled')).toBe(false);
});
