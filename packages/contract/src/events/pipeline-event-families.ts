import type { TObject } from 'typebox';
import { ConnectionRemoved, SamplesRemoved, SummariesRemoved, UserDeleted, UserErased, UserUndeleted } from './pipeline-events.ts';
import { isOperationalEvent } from './event-types.ts';

/** An event only for data pipelines: it goes to Kafka, never to webhooks, and endpoints cannot name its type. */
export interface PipelineEventFamily {
  readonly eventType: string;
  readonly data: TObject;
}

/** Removals, and undone deletions, that pipelines apply to their copies. All have a user. */
export const pipelineEventFamilies: readonly PipelineEventFamily[] = [
  { eventType: 'user.deleted', data: UserDeleted },
  { eventType: 'user.undeleted', data: UserUndeleted },
  { eventType: 'user.erased', data: UserErased },
  { eventType: 'provider.connection.removed', data: ConnectionRemoved },
  { eventType: 'data.summaries.removed', data: SummariesRemoved },
  { eventType: 'data.samples.removed', data: SamplesRemoved },
];

const types: ReadonlySet<string> = new Set(pipelineEventFamilies.map(({ eventType }) => eventType));

/** Whether an event is only for data pipelines. */
export function isPipelineEvent(eventType: string): boolean {
  return types.has(eventType);
}

/** Whether "all types" includes this type: neither operational events, which endpoints must name, nor pipeline events. */
export function isInAllTypes(eventType: string): boolean {
  return !isOperationalEvent(eventType) && !isPipelineEvent(eventType);
}
