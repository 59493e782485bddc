import type { TObject } from 'typebox';
import { ConnectionRemoved, SamplesRemoved, SummariesRemoved, UserDeleted, UserErased, UserUndeleted } from './pipeline-events.ts';
import { isOperationalEvent } from './event-types.ts';

/** An event for data pipelines alone: it goes to Kafka, never to webhooks, and no endpoint can name its type. */
export interface PipelineEventFamily {
  readonly eventType: string;
  readonly data: TObject;
}

/** What tells a pipeline that something is gone: copies of it follow these events. All have a user. */
export const pipelineEventFamilies: readonly PipelineEventFamily[] = [
  { eventType: 'user.deleted', data: UserDeleted },
  { eventType: 'user.undeleted', data: UserUndeleted },
  { eventType: 'user.erased', data: UserErased },
  { eventType: 'provider.connection.removed', data: ConnectionRemoved },
  { eventType: 'data.summaries.removed', data: SummariesRemoved },
  { eventType: 'data.samples.removed', data: SamplesRemoved },
];

const types: ReadonlySet<string> = new Set(pipelineEventFamilies.map(({ eventType }) => eventType));

/** Whether an event is for data pipelines alone. */
export function isPipelineEvent(eventType: string): boolean {
  return types.has(eventType);
}

/** Whether "all types" includes this type: not operational events, which endpoints must name, and not those of pipelines. */
export function isInAllTypes(eventType: string): boolean {
  return !isOperationalEvent(eventType) && !isPipelineEvent(eventType);
}
