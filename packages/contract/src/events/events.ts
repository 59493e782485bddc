import type { TObject } from 'typebox';
import { ConnectionCreated, ConnectionFailed, Device } from './connection-events.ts';
import { HistoricalPullCompleted, sampleBatchSchema, WorkoutStreamStored } from './data-events.ts';
import { AttemptsExhausted, EndpointDisabled, EndpointEnabled, EndpointFailing } from './delivery-events.ts';
import { Appointment } from '../labs/appointments.ts';
import { Order } from '../labs/orders.ts';
import { OrderTracking } from '../labs/order-tracking.ts';
import { findLifecycleEvent } from './event-types.ts';
import { ParsingJob } from '../labs/parsing-job.ts';
import { CriticalResult } from '../labs/results.ts';
import { MatchReview } from '../labs/unmatched-results.ts';
import { resources } from '../resources/resources.ts';
import type { Resource } from '../resources/types.ts';

/** Event types with the same shape of `data`. */
export interface EventFamily {
  /** Name of the published schema file. */
  readonly name: string;
  readonly eventTypes: readonly string[];
  readonly data: TObject;
  /** false: the envelope has no user keys. */
  readonly hasUser: boolean;
  readonly isDeprecated: boolean;
}

function dataSchema(resource: Resource): TObject | undefined {
  switch (resource.kind) {
    case 'summary':
      return resource.schema;
    case 'timeseries':
      return sampleBatchSchema(resource);
    case 'stream':
      return WorkoutStreamStored;
    case 'family':
      return undefined;
  }
}

function withDataEvents(): EventFamily[] {
  return resources.flatMap((resource) => {
    const data = dataSchema(resource);
    if (resource.events === null || data === undefined) return [];
    const { created, updated } = resource.events;
    const name = created.slice(0, created.lastIndexOf('.'));
    return [{ name, eventTypes: [created, updated], data, hasUser: true, isDeprecated: resource.isDeprecated }];
  });
}

function completedPulls(name: string, isDeprecated: boolean): EventFamily {
  const eventTypes = resources.flatMap((row) => (row.events === null || row.isDeprecated !== isDeprecated ? [] : [row.events.historical]));
  return { name, eventTypes, data: HistoricalPullCompleted, hasUser: true, isDeprecated };
}

function lifecycle(data: TObject, ...eventTypes: [string, ...string[]]): EventFamily {
  const [first] = eventTypes;
  const name = eventTypes.length === 1 ? first : first.slice(0, first.lastIndexOf('.'));
  return { name, eventTypes, data, hasUser: findLifecycleEvent(first)?.hasUser ?? true, isDeprecated: false };
}

/**
 * Every event family that has a schema: health data, connections, devices, lab orders, appointments, parsed lab reports and deliveries.
 */
export const eventFamilies: readonly EventFamily[] = [
  ...withDataEvents(),
  completedPulls('historical.data', false),
  completedPulls('historical.timeseries', true),
  lifecycle(ConnectionCreated, 'provider.connection.created'),
  lifecycle(ConnectionFailed, 'provider.connection.error'),
  lifecycle(Device, 'provider.device.created', 'provider.device.updated'),
  lifecycle(ParsingJob, 'lab_report.parsing_job.created', 'lab_report.parsing_job.updated'),
  lifecycle(Order, 'labtest.order.created', 'labtest.order.updated'),
  lifecycle(Appointment, 'labtest.appointment.created', 'labtest.appointment.updated'),
  lifecycle(CriticalResult, 'labtest.result.critical'),
  lifecycle(OrderTracking, 'labtest.order_tracking.updated'),
  lifecycle(MatchReview, 'labtest.match_review.created', 'labtest.match_review.updated'),
  lifecycle(AttemptsExhausted, 'message.attempt.exhausted'),
  lifecycle(EndpointFailing, 'endpoint.failing'),
  lifecycle(EndpointDisabled, 'endpoint.disabled'),
  lifecycle(EndpointEnabled, 'endpoint.enabled'),
];

const byType: ReadonlyMap<string, EventFamily> = new Map(
  eventFamilies.flatMap((family) => family.eventTypes.map((type) => [type, family] as const)),
);

/** The family of an event type; undefined for a type without a schema. */
export function findEventFamily(eventType: string): EventFamily | undefined {
  return byType.get(eventType);
}

/** Schema of the `data` of an event type; undefined for a type without a schema. */
export function findEventSchema(eventType: string): TObject | undefined {
  return byType.get(eventType)?.data;
}
