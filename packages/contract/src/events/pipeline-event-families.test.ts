import { expect, test } from 'vitest';
import { allEventTypes, isEventType } from './event-types.ts';
import { isInAllTypes, isPipelineEvent, pipelineEventFamilies } from './pipeline-event-families.ts';

test('excludes pipeline events from the event types of webhooks and from "all types"', () => {
  for (const { eventType } of pipelineEventFamilies) {
    expect(isEventType(eventType)).toBe(false);
    expect(isInAllTypes(eventType)).toBe(false);
  }
  expect(allEventTypes().filter(isPipelineEvent)).toEqual([]);
  expect(isInAllTypes('provider.connection.created')).toBe(true);
  expect(isInAllTypes('endpoint.disabled')).toBe(false);
});
