import { Type, type Static } from 'typebox';
import { closedEnum, DateTime, nullable, openEnum, Uuid } from '../../fields/fields.ts';
import { cursorFields, NextCursor } from './webhooks.ts';

const attemptStatuses = ['succeeded', 'failed', 'superseded'] as const;

/** Bounds in time, both inclusive. */
export const timeRange = {
  since: Type.Optional(DateTime),
  until: Type.Optional(DateTime),
};

/** GET …/attempt. */
export const AttemptListQuery = Type.Object(
  { status: Type.Optional(closedEnum(attemptStatuses)), ...timeRange, ...cursorFields },
  { title: 'AttemptListQuery', additionalProperties: false },
);
export type AttemptListQuery = Static<typeof AttemptListQuery>;

/** One HTTP attempt in the delivery log. */
export const AttemptBody = Type.Object(
  {
    message_id: Type.String({ description: 'The webhook-id header.' }),
    event_id: Uuid,
    event_type: Type.String(),
    attempt: Type.Integer({ description: 'Attempts of this message at this endpoint; a replay starts again at 1.' }),
    status: openEnum(attemptStatuses, 'superseded: not sent because a newer version was waiting.'),
    response_status: nullable(Type.Integer({ description: 'HTTP status.' }), { description: 'Null if there was no response.' }),
    error: nullable(Type.String({ description: 'Stable error code.' })),
    duration_ms: Type.Number(),
    attempted_at: DateTime,
    next_attempt_at: nullable(DateTime),
  },
  { title: 'AttemptBody' },
);
export type AttemptBody = Static<typeof AttemptBody>;

export const AttemptListBody = Type.Object({ data: Type.Array(AttemptBody), next_cursor: NextCursor }, { title: 'AttemptListBody' });
export type AttemptListBody = Static<typeof AttemptListBody>;

/** GET …/statistics. */
export const StatisticsQuery = Type.Object(
  { hours: Type.Integer({ minimum: 1, maximum: 720, default: 24, description: 'Length of the window.' }) },
  { title: 'StatisticsQuery', additionalProperties: false },
);
export type StatisticsQuery = Static<typeof StatisticsQuery>;

export const LastErrorBody = Type.Object(
  {
    at: DateTime,
    message_id: Type.String(),
    response_status: nullable(Type.Integer({ description: 'HTTP status.' })),
    error: nullable(Type.String({ description: 'Stable error code.' })),
    text: Type.String({ description: 'Human-readable description.' }),
  },
  { title: 'LastErrorBody' },
);

/** Statistics of an endpoint. */
export const StatisticsBody = Type.Object(
  {
    since: Type.String({
      format: 'date-time',
      description: 'Start of the range that was counted: the window, or less when `exact` is false.',
    }),
    exact: Type.Boolean({ description: 'False: only the newest attempts of the window were counted.' }),
    attempts: Type.Integer(),
    succeeded: Type.Integer(),
    failed: Type.Integer(),
    success_rate: nullable(Type.Number({ description: 'Share of attempts, 0 to 1.' }), { description: 'Null without attempts.' }),
    duration_p50_ms: nullable(Type.Number()),
    duration_p99_ms: nullable(Type.Number()),
    in_flight: Type.Integer({ description: 'Attempts in progress that are retries or have taken longer than about a second.' }),
    waiting: Type.Integer({ description: 'Messages that wait for an attempt; counting stops at 100,000.' }),
    oldest_undelivered_at: nullable(DateTime, { description: 'Time of the event that has waited longest.' }),
    last_error: nullable(LastErrorBody),
    disabled: Type.Boolean(),
    failing_since: nullable(DateTime),
  },
  { title: 'StatisticsBody' },
);
export type StatisticsBody = Static<typeof StatisticsBody>;
