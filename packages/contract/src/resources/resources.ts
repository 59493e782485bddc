import { AppError, type ErrorCode } from '@pulsewire/kernel';
import { familyResources, streamResources } from './others.ts';
import { summaryResources } from './summaries.ts';
import { timeseriesResources } from './timeseries.ts';
import type { Resource, ResourceEvents, SummaryResource, TimeseriesResource } from './types.ts';

/** Every resource, one row each. All other lists of resources are computed from this one. */
export const resources: readonly Resource[] = [...summaryResources, ...streamResources, ...timeseriesResources, ...familyResources];

const byName: ReadonlyMap<string, Resource> = new Map(resources.map((row) => [row.name, row]));

/** The row of a resource name, or undefined for an unknown one. */
export function findResource(name: string): Resource | undefined {
  return byName.get(name);
}

function bug(code: ErrorCode, message: string, resource: string): AppError {
  return new AppError({ code, kind: 'bug', message, details: { resource } });
}

/** The row of a timeseries. Throws AppError `not_a_timeseries` for any other name. */
export function timeseriesResource(name: string): TimeseriesResource {
  const row = byName.get(name);
  if (row?.kind !== 'timeseries') throw bug('not_a_timeseries', 'Samples need a resource that is a timeseries.', name);
  return row;
}

/** The row of a summary. Throws AppError `not_a_summary` for any other name. */
export function summaryResource(name: string): SummaryResource {
  const row = byName.get(name);
  if (row?.kind !== 'summary') throw bug('not_a_summary', 'A summary needs a resource that is one.', name);
  return row;
}

function eventsOf(resource: string): ResourceEvents {
  const events = byName.get(resource)?.events;
  if (events === undefined || events === null) throw bug('resource_without_events', 'This resource has no data events.', resource);
  return events;
}

/** Event type for a new or changed record. Throws AppError `resource_without_events`. */
export function dailyEventType(resource: string, change: 'created' | 'updated'): string {
  return eventsOf(resource)[change];
}

/** Event type for a completed historical pull. Throws AppError `resource_without_events`. */
export function historicalEventType(resource: string): string {
  return eventsOf(resource).historical;
}
