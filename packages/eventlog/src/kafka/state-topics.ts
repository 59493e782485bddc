import { resources } from '@pulsewire/contract';
import type { LogEvent } from '../types.ts';
import type { RecordType } from './avro/record-types.ts';
import type { topicNames } from './topics.ts';

type Names = ReturnType<typeof topicNames>;

const connectionEvents: ReadonlySet<string> = new Set(['provider.connection.created', 'provider.connection.error']);
const summaryEvents: ReadonlySet<string> = new Set(
  resources.flatMap((resource) => (resource.kind === 'summary' ? [resource.events.created, resource.events.updated] : [])),
);

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

/** The compacted topic of a record type; null for records that are no state. */
export function stateTopicOf(record: Pick<RecordType, 'eventTypes'>, names: Names): string | null {
  if (record.eventTypes.some((type) => summaryEvents.has(type))) return names.summaries;
  return record.eventTypes.some((type) => connectionEvents.has(type)) ? names.connections : null;
}

/** Key of the state that an event tells: the summary's id, or user and provider of a connection; null when it tells none. */
export function stateKeyOf(event: LogEvent, value: unknown): string | null {
  if (!isObject(value)) return null;
  if (summaryEvents.has(event.eventType)) return typeof value['id'] === 'string' ? value['id'] : null;
  if (!connectionEvents.has(event.eventType) || event.userId === null) return null;
  const { provider } = value;
  const slug = isObject(provider) ? provider['slug'] : provider;
  return typeof slug === 'string' ? `${event.userId}:${slug}` : null;
}
