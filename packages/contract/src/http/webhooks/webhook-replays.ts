import { Type, type Static } from 'typebox';
import { closedEnum, DateTime, nullable, openEnum, optionalInput, Uuid } from '../../fields/fields.ts';
import { cursorFields, NextCursor } from './webhooks.ts';

const selections = ['all', 'failed', 'missing', 'undelivered'] as const;
const selectionAbout =
  'all: everything that passes the filter; failed: messages whose last attempt failed; missing: messages never sent; undelivered: failed and missing.';
const statuses = ['running', 'completed', 'cancelled', 'failed'] as const;

/** POST …/recover: resends messages that failed since then; 202. */
export const RecoverBody = Type.Object({ since: DateTime }, { title: 'RecoverBody', additionalProperties: false });
export type RecoverBody = Static<typeof RecoverBody>;

/** The replay that resends them, and their number. */
export const RecoveredBody = Type.Object(
  { messages: Type.Integer({ description: 'Counting stops at 100,000.' }), replay_id: Uuid },
  { title: 'RecoveredBody' },
);
export type RecoveredBody = Static<typeof RecoveredBody>;

/** POST …/replay. */
export const CreateReplayBody = Type.Object(
  {
    since: DateTime,
    until: optionalInput(DateTime, { description: 'Default: now. A later time means now.' }),
    user_id: optionalInput(Uuid),
    event_types: optionalInput(Type.Array(Type.String({ minLength: 1 }), { maxItems: 500 }), {
      description: 'Must pass the filter of the endpoint; null or empty means all of them.',
    }),
    selection: closedEnum(selections, { description: selectionAbout }),
    dry_run: Type.Optional(Type.Boolean({ default: false, description: 'Only counts; sends nothing.' })),
  },
  { title: 'CreateReplayBody', additionalProperties: false },
);
export type CreateReplayBody = Static<typeof CreateReplayBody>;

/** The count of a dry run. */
export const ReplayCountBody = Type.Object(
  { messages: Type.Integer(), exact: Type.Boolean({ description: 'False: counting stopped at the limit; there are more.' }) },
  { title: 'ReplayCountBody' },
);
export type ReplayCountBody = Static<typeof ReplayCountBody>;

/** A replay and its progress. */
export const ReplayBody = Type.Object(
  {
    id: Uuid,
    webhook_id: Type.String(),
    status: openEnum(statuses),
    since: DateTime,
    until: DateTime,
    user_id: nullable(Uuid),
    event_types: nullable(Type.Array(Type.String())),
    selection: openEnum(selections, selectionAbout),
    total: Type.Integer({ description: 'Messages that matched so far.' }),
    enqueued: Type.Integer({ description: 'Messages that were queued.' }),
    delivered: Type.Integer(),
    exhausted: Type.Integer({ description: 'Messages whose attempts all failed.' }),
    error: nullable(Type.String({ description: 'Stable error code.' })),
    created_at: DateTime,
    ended_at: nullable(DateTime),
  },
  { title: 'ReplayBody' },
);
export type ReplayBody = Static<typeof ReplayBody>;

/** GET …/replay. */
export const ReplayListQuery = Type.Object(
  { status: Type.Optional(closedEnum(statuses)), ...cursorFields },
  { title: 'ReplayListQuery', additionalProperties: false },
);
export type ReplayListQuery = Static<typeof ReplayListQuery>;

export const ReplayListBody = Type.Object({ data: Type.Array(ReplayBody), next_cursor: NextCursor }, { title: 'ReplayListBody' });
export type ReplayListBody = Static<typeof ReplayListBody>;
