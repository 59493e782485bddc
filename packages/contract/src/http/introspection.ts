import { Type } from 'typebox';
import { DateTime, nullable, openEnum, optionalInput, optionalInteger, Uuid } from '../fields/fields.ts';

/** Query of both lists of pulls. */
export const IntrospectionQuery = Type.Object(
  {
    user_id: optionalInput(Uuid, { description: 'Only this user.' }),
    provider: optionalInput(Type.String({ maxLength: 64 }), { description: 'Provider slug; absent or empty: all.' }),
    user_limit: Type.Integer({ minimum: 1, maximum: 100, default: 50, description: 'Users of a page at most.' }),
    next_cursor: optionalInput(Type.String(), { description: 'From the previous page.' }),
    cursor: optionalInput(Type.String(), { description: 'Deprecated: use `next_cursor`.', deprecated: true }),
  },
  { title: 'IntrospectionQuery' },
);

const page = (item: Type.TSchema, title: string) =>
  Type.Object(
    {
      data: Type.Array(Type.Object({ user_id: Uuid, provider: Type.Record(Type.String(), item, { description: 'By provider slug.' }) })),
      next_cursor: nullable(Type.String(), { description: 'Null on the last page.' }),
      next: nullable(Type.String(), { description: 'Deprecated: use `next_cursor`.', deprecated: true }),
    },
    { title },
  );

const ResourceStatistics = Type.Object(
  {
    last_attempt: nullable(Type.Object({ timestamp: DateTime, status: openEnum(['success', 'failure']) }), {
      description: 'The last pull; null for what only arrives by notification.',
    }),
    oldest_data: nullable(DateTime),
    newest_data: nullable(DateTime),
    sent_count: optionalInteger('Objects announced by created events: stored summaries, and every sample of a series.'),
  },
  { title: 'ResourceStatistics' },
);

/** GET /v2/introspect/resources. */
export const ResourceStatisticsBody = page(
  Type.Record(Type.String(), ResourceStatistics, { description: 'By resource.' }),
  'ResourceStatisticsBody',
);

export const historicalPullStatuses = ['success', 'failure', 'in_progress', 'scheduled', 'retrying'] as const;
export const historicalPullErrors = [
  'provider_rate_limit_exceeded',
  'provider_unavailable',
  'transport_failure',
  'resource_contention',
  'non_retriable_error',
  'unexpected_error',
  'retry_quota_exhausted',
] as const;

const HistoricalPull = Type.Object(
  {
    status: openEnum(historicalPullStatuses),
    range_start: nullable(DateTime),
    range_end: nullable(DateTime),
    timeline: Type.Object({ scheduled_at: DateTime, started_at: nullable(DateTime), ended_at: nullable(DateTime) }),
    days_with_data: Type.Integer({ default: 0, description: 'Roughly: by day for summaries, by pulled range for timeseries.' }),
    windows_given_up: Type.Integer({ default: 0, description: 'Parts of the range that were not read after all attempts.' }),
    release: Type.String({ description: 'Version of Pulsewire.' }),
    trace_id: nullable(Type.String(), {
      description: 'Of the last run: in logs, traces and the `traceparent` of its webhooks. Null before the first.',
    }),
    error_details: nullable(openEnum(historicalPullErrors), {
      description: 'Why it is retried: the first four; why it failed: the others.',
    }),
  },
  { title: 'HistoricalPull' },
);

/** GET /v2/introspect/historical_pull. */
export const HistoricalPullsBody = page(
  Type.Object({
    pulled: Type.Record(Type.String(), HistoricalPull, { description: 'By resource.' }),
    not_pulled: Type.Array(Type.String(), {
      description: 'Resources of the provider whose history was not requested, such as those without permission.',
    }),
  }),
  'HistoricalPullsBody',
);
