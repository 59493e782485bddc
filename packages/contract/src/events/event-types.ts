import { lifecycleEvents, type LifecycleEvent } from './lifecycle-events.ts';
import { resources } from '../resources/resources.ts';

const lifecycle: ReadonlyMap<string, LifecycleEvent> = new Map(lifecycleEvents.map((row) => [row.eventType, row]));

const types: readonly string[] = [
  ...resources.flatMap(({ events }) => (events === null ? [] : [events.created, events.updated, events.historical])),
  ...lifecycle.keys(),
];

const known: ReadonlySet<string> = new Set(types);

/** Every event type: health data, lifecycle and operational. */
export function allEventTypes(): readonly string[] {
  return types;
}

/** Whether an endpoint's filter may name this type. */
export function isEventType(text: string): boolean {
  return known.has(text);
}

/** The row of a lifecycle or operational event type; undefined for events of health data. */
export function findLifecycleEvent(eventType: string): LifecycleEvent | undefined {
  return lifecycle.get(eventType);
}

/** Operational events go only to endpoints that name them. */
export function isOperationalEvent(eventType: string): boolean {
  return lifecycle.get(eventType)?.isOperational ?? false;
}
