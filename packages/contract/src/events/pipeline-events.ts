import { Type, type Static } from 'typebox';
import { DateTime, nullable, openEnum, Uuid } from '../fields/fields.ts';
import { SourceType } from '../fields/source-context.ts';

const Resource = Type.String({ description: 'Resource name, as in daily.data.<resource>.created.' });

/** Data of `user.deleted`: the user is hidden from now on, and erased after the grace period unless the deletion is undone. */
export const UserDeleted = Type.Object(
  { user_id: Uuid, deleted_at: DateTime, erased_after: Type.String({ format: 'date-time', description: 'When the grace period ends.' }) },
  { title: 'UserDeleted' },
);
export type UserDeleted = Static<typeof UserDeleted>;

/** Data of `user.undeleted`: the stored data is valid again; connections are not restored. */
export const UserUndeleted = Type.Object({ user_id: Uuid, undeleted_at: DateTime }, { title: 'UserUndeleted' });
export type UserUndeleted = Static<typeof UserUndeleted>;

/** Data of `user.erased`: nothing of this user is stored any more; consumers must delete their copies. */
export const UserErased = Type.Object(
  {
    user_id: Uuid,
    erased_at: DateTime,
    providers: Type.Array(Type.String(), { description: 'Slugs of all providers that the user may have been connected to.' }),
  },
  { title: 'UserErased' },
);
export type UserErased = Static<typeof UserErased>;

/** Data of `provider.connection.removed`: the connection was removed; stored data stays. */
export const ConnectionRemoved = Type.Object(
  {
    user_id: Uuid,
    provider: Type.String({ description: 'Provider slug.' }),
    external_user_id: nullable(Type.String(), { description: "The user's id at the provider." }),
    reason: openEnum(
      ['deregistered', 'replaced', 'user_deleted', 'lost'],
      'replaced: by another account or application, or at the successor of the provider. lost: the database lost it.',
    ),
  },
  { title: 'ConnectionRemoved' },
);
export type ConnectionRemoved = Static<typeof ConnectionRemoved>;

/** Most ids, or times, in one event of a removal. */
export const removedMax = 1000;

/** Data of `data.summaries.removed`: summaries that are no longer stored, and the streams of removed workouts. */
export const SummariesRemoved = Type.Object(
  {
    user_id: Uuid,
    ids: Type.Array(Uuid, { minItems: 1, maxItems: removedMax }),
    reason: openEnum(
      ['provider', 'erasure', 'lost'],
      'provider: the provider removed them. erasure: user.erased follows. lost: the database lost them.',
    ),
  },
  { title: 'SummariesRemoved' },
);
export type SummariesRemoved = Static<typeof SummariesRemoved>;

/** Data of `data.samples.removed`: samples of one series of one source that are no longer stored. */
export const SamplesRemoved = Type.Object(
  {
    user_id: Uuid,
    resource: Resource,
    type: nullable(Type.String(), { description: 'Sub-kind of the series; null where it has none.' }),
    provider: Type.String({ description: 'Provider slug of the source.' }),
    source_type: SourceType,
    timestamps: Type.Array(DateTime, { minItems: 1, maxItems: removedMax }),
  },
  { title: 'SamplesRemoved' },
);
export type SamplesRemoved = Static<typeof SamplesRemoved>;
