import type { Summary } from '../records/records.ts';
import { summaryResource } from '../resources/resources.ts';
import { summaryResources } from '../resources/summaries.ts';
import { createComplete, type Complete } from './complete.ts';
import { renderDate, renderDateTime } from './date-time.ts';
import { renderSource } from './source.ts';

export interface SummaryRendering {
  readonly summary: Summary;
  readonly userId: string;
  /** When this id was first stored and last changed, ms since the epoch. */
  readonly createdAt: number;
  readonly updatedAt: number;
  /** The provider's number; only meals show it. */
  readonly sourceId?: number;
}

/** A summary in wire form. */
export type WireSummary = Readonly<Record<string, unknown>>;

const completions: ReadonlyMap<string, Complete> = new Map(summaryResources.map((row) => [row.name, createComplete(row.schema)]));

/** Values that we add ourselves; the provider's own data has precedence. */
function derivedFields({ summary, updatedAt, sourceId }: SummaryRendering): Record<string, unknown> {
  const { id, source, calendarDate } = summary;
  const day = calendarDate === null ? {} : { calendar_date: calendarDate, date: `${calendarDate}T00:00:00+00:00` };
  // The day of the last change.
  const ofProfile = summary.resource === 'profile' ? { date: renderDate(updatedAt) } : {};
  // Fields without a meaning of their own that clients still expect.
  const ofMeal =
    summary.resource === 'meal' ? { priority_id: 0, provider_id: id, ...(sourceId === undefined ? {} : { source_id: sourceId }) } : {};
  const flatSource = {
    source_provider: source.provider,
    source_type: source.type,
    source_app_id: source.appId ?? null,
    source_device_id: source.deviceId ?? null,
  };
  return { ...day, ...ofProfile, ...ofMeal, ...flatSource };
}

/**
 * The wire object of a stored summary, with every key of its table; the same for reads and for events.
 * Unknown keys are dropped. Throws AppError `not_a_summary` for other kinds of resource.
 */
export function renderSummary(rendering: SummaryRendering): WireSummary {
  const { summary, userId, createdAt, updatedAt } = rendering;
  const complete = completions.get(summaryResource(summary.resource).name) as Complete;
  return complete({
    ...derivedFields(rendering),
    ...summary.data,
    id: summary.id,
    user_id: userId,
    source: renderSource(summary.source),
    created_at: renderDateTime(createdAt),
    updated_at: renderDateTime(updatedAt),
  }) as WireSummary;
}

const someInstant = 0;

/**
 * Required fields that a summary lacks, so that the caller can quarantine it before it is stored.
 * `source_id` of a meal is not among them, because it is determined later.
 */
export function missingSummaryFields(summary: Summary): readonly string[] {
  const { schema } = summaryResource(summary.resource);
  const wire = renderSummary({ summary, userId: '', createdAt: someInstant, updatedAt: someInstant, sourceId: 0 });
  return ((schema.required as readonly string[] | undefined) ?? []).filter((key) => wire[key] === undefined);
}
