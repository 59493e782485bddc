import { resources } from '@pulsewire/contract';
import type { LogEvent } from '@pulsewire/eventlog';
import type { RecordType } from '../avro/record-types.ts';
import type { topicNames } from './topics.ts';

type Names = ReturnType<typeof topicNames>;

/** The effect of an event on a key of a compacted topic. */
export interface StateChange {
  readonly topic: string;
  readonly key: string;
  /** `end`: the key gets a tombstone. */
  readonly effect: 'set' | 'end';
}

const connectionEvents: ReadonlySet<string> = new Set(['provider.connection.created', 'provider.connection.error']);
const summaryEvents: ReadonlySet<string> = new Set(
  resources.flatMap((resource) => (resource.kind === 'summary' ? [resource.events.created, resource.events.updated] : [])),
);
const endingEvents = ['data.summaries.removed', 'provider.connection.removed', 'user.erased'] as const;

/** Types of all events that set or end a key. */
export const stateEventTypes: readonly string[] = [...summaryEvents, ...connectionEvents, ...endingEvents];

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

function texts(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}

/** Key of a connection on its compacted topic. */
export function connectionKey(userId: string, provider: string): string {
  return `${userId}:${provider}`;
}

/** The compacted topic of a record type; null for records that are not state. */
export function stateTopicOf(record: Pick<RecordType, 'eventTypes'>, names: Names): string | null {
  if (record.eventTypes.some((type) => summaryEvents.has(type))) return names.summaries;
  return record.eventTypes.some((type) => connectionEvents.has(type)) ? names.connections : null;
}

/** The effects of an event on the compacted topics; most have none. `value` is the parsed data of the event, or its Avro form. */
export function stateChangesOf(
  { eventType, userId }: Pick<LogEvent, 'eventType' | 'userId'>,
  value: unknown,
  names: Names,
): readonly StateChange[] {
  if (!isObject(value)) return [];
  if (summaryEvents.has(eventType)) {
    return typeof value['id'] === 'string' ? [{ topic: names.summaries, key: value['id'], effect: 'set' }] : [];
  }
  if (eventType === 'data.summaries.removed') return texts(value['ids']).map((key) => ({ topic: names.summaries, key, effect: 'end' }));
  if (userId === null) return [];
  const connection = (provider: string, effect: StateChange['effect']) => ({
    topic: names.connections,
    key: connectionKey(userId, provider),
    effect,
  });
  if (eventType === 'user.erased') return texts(value['providers']).map((provider) => connection(provider, 'end'));
  const { provider } = value;
  const slug = isObject(provider) ? provider['slug'] : provider;
  if (typeof slug !== 'string') return [];
  if (eventType === 'provider.connection.removed') return [connection(slug, 'end')];
  return connectionEvents.has(eventType) ? [connection(slug, 'set')] : [];
}
