import { jsonEvent, type Emit, type NewEvent } from '@pulsewire/eventlog';
import { removedMax, renderDateTime, type SamplesRemoved, type SummariesRemoved } from '@pulsewire/contract';
import type { SeriesKey } from './series-batch.ts';
import type { RecordBatch } from './types.ts';

/** The parts of a batch that a removal event needs. */
export type RemovalContext = Pick<RecordBatch, 'owner' | 'origin' | 'traceId'>;

function chunks<T>(items: readonly T[]): readonly (readonly T[])[] {
  return Array.from({ length: Math.ceil(items.length / removedMax) }, (_, index) =>
    items.slice(index * removedMax, (index + 1) * removedMax),
  );
}

/** Emits an event to pipelines for summaries that are no longer stored. */
export function emitSummariesRemoved(
  emit: Emit,
  { owner, origin, traceId }: RemovalContext,
  ids: readonly string[],
  reason: SummariesRemoved['reason'] = 'provider',
): void {
  for (const chunk of chunks(ids)) {
    const data: SummariesRemoved = { user_id: owner.userId, ids: [...chunk], reason };
    emit(jsonEvent({ eventType: 'data.summaries.removed', ...owner, origin, traceId, data }));
  }
}

/** Emits an event to pipelines for samples of one series that are no longer stored; `times` in ms since the epoch. */
export function emitSamplesRemoved(
  emit: Emit,
  { owner, origin, traceId }: RemovalContext,
  { resource, subKind, provider, sourceType }: SeriesKey,
  times: readonly number[],
): void {
  for (const chunk of chunks(times)) {
    const data: SamplesRemoved = {
      user_id: owner.userId,
      resource,
      type: subKind === '' ? null : subKind,
      provider,
      source_type: sourceType,
      timestamps: chunk.map(renderDateTime),
    };
    emit(jsonEvent({ eventType: 'data.samples.removed', ...owner, origin, traceId, data }));
  }
}

/** The events that report the summaries of an erased user to pipelines; without the team's reference to the user, which is erased too. */
export function erasedSummaryEvents(
  { teamId, userId }: { readonly teamId: string; readonly userId: string },
  ids: readonly string[],
): readonly NewEvent[] {
  return chunks(ids).map((chunk) => {
    const data: SummariesRemoved = { user_id: userId, ids: [...chunk], reason: 'erasure' };
    return jsonEvent({ eventType: 'data.summaries.removed', teamId, userId, clientUserId: null, data });
  });
}
