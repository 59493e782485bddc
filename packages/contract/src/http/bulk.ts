import { Type, type Static } from 'typebox';
import { closedEnum, DateTime, nullable, openEnum, optionalInput, servedProviderEnum, Uuid } from '../fields/fields.ts';

/** Unix seconds of tokens that never expire. */
export const neverExpires = 2_147_483_647;

/** An existing connection at a provider, as imported by a team. */
export const ConnectionRecipe = Type.Object(
  {
    user_id: Uuid,
    access_token: Type.String({ minLength: 1, maxLength: 16_384, description: 'OAuth 1: the token.' }),
    refresh_token: Type.String({ maxLength: 16_384, description: 'OAuth 1: the token secret; empty if there is none.' }),
    provider_id: Type.String({ minLength: 1, maxLength: 256, description: "The user's id at the provider." }),
    expires_at: Type.Integer({
      minimum: 0,
      maximum: 253_402_300_799,
      description: `Unix seconds; ${neverExpires} for tokens that never expire.`,
    }),
    oauth_scopes: optionalInput(Type.Array(Type.String({ minLength: 1, maxLength: 256 }), { maxItems: 200 }), {
      description: 'null if unknown; then the requested scopes are assumed.',
    }),
  },
  { title: 'ConnectionRecipe' },
);
export type ConnectionRecipe = Static<typeof ConnectionRecipe>;

const waitForCompletion = Type.Boolean({ default: false, description: 'Wait up to 20 seconds for completion.' });

/** POST /v2/link/bulk_import. The recipes are read one by one; any number may be sent. */
export function bulkImportBodyFor<const Slugs extends readonly string[]>(slugs: Slugs) {
  return Type.Object(
    { provider: servedProviderEnum(slugs), connections: Type.Array(ConnectionRecipe), wait_for_completion: waitForCompletion },
    { title: 'BulkImportBody' },
  );
}

/** POST /v2/link/bulk_pause. */
export function bulkPauseBodyFor<const Slugs extends readonly string[]>(slugs: Slugs) {
  return Type.Object({ user_ids: Type.Array(Uuid), provider: servedProviderEnum(slugs) }, { title: 'BulkPauseBody' });
}

/** POST /v2/link/bulk_trigger_historical_pull. */
export function bulkTriggerBodyFor<const Slugs extends readonly string[]>(slugs: Slugs) {
  return Type.Object(
    { user_ids: Type.Array(Uuid), provider: servedProviderEnum(slugs), wait_for_completion: waitForCompletion },
    { title: 'BulkTriggerBody' },
  );
}

/** POST /v2/link/bulk_export. */
export function bulkExportBodyFor<const Slugs extends readonly string[]>(slugs: Slugs) {
  return Type.Object(
    {
      user_ids: optionalInput(Type.Array(Uuid), { description: 'null: all users connected to the provider.' }),
      provider: servedProviderEnum(slugs),
      next_token: optionalInput(Type.String(), { description: 'From the previous page.' }),
    },
    { title: 'BulkExportBody' },
  );
}

/** Response of the import when it has ended (200) or while it continues (202, with the state so far). */
export const BulkImportResult = Type.Object(
  { user_ids_imported: Type.Array(Uuid), user_ids_failed: Type.Array(Uuid) },
  { title: 'BulkImportResult' },
);
export type BulkImportResult = Static<typeof BulkImportResult>;

/** A response whose status is its only information. */
export const BulkDone = Type.Object({}, { title: 'BulkDone' });
export type BulkDone = Static<typeof BulkDone>;

/** A page of the export. */
const LeftOut = Type.Object(
  {
    platform_application: Type.Integer({
      description: "Made with the platform's OAuth application: another system cannot use their tokens.",
    }),
    in_error: Type.Integer({ description: 'In error, so that their tokens are not valid any more.' }),
    not_connected: Type.Integer({ description: 'Users of the request without a connection to the provider.' }),
  },
  { title: 'BulkExportLeftOut', description: 'Connections that no page of this export has, by reason; the same on every page.' },
);

export const BulkExportPage = Type.Object(
  { data: Type.Array(ConnectionRecipe), next_token: nullable(Type.String()), left_out: LeftOut },
  { title: 'BulkExportPage' },
);
export type BulkExportPage = Static<typeof BulkExportPage>;

/** GET /v2/link/bulk_op (paged by cursor). */
export const BulkOperationsQuery = Type.Object(
  { next_cursor: Type.Optional(Type.String()), page_size: Type.Integer({ minimum: 0, maximum: 50, default: 10 }) },
  { title: 'BulkOperationsQuery' },
);
export type BulkOperationsQuery = Static<typeof BulkOperationsQuery>;

/** One bulk operation. */
export const BulkOperationBody = Type.Object(
  {
    type: openEnum(['link_bulk_import', 'link_bulk_historical_trigger']),
    status: openEnum(['in_progress', 'success', 'failure', 'aborted']),
    provider: Type.String(),
    pending: Type.Integer({ description: 'Items still queued.' }),
    processed: Type.Integer({ description: 'Items that succeeded or failed.' }),
    started_at: DateTime,
    ended_at: nullable(DateTime),
  },
  { title: 'BulkOperationBody' },
);
export type BulkOperationBody = Static<typeof BulkOperationBody>;

/** A page of bulk operations, newest first. */
export const BulkOperationsBody = Type.Object(
  { data: Type.Array(BulkOperationBody), next_cursor: nullable(Type.String()) },
  { title: 'BulkOperationsBody' },
);
export type BulkOperationsBody = Static<typeof BulkOperationsBody>;

/** GET /v2/link/bulk_op/{operation_id}/item. */
export const BulkOperationParams = Type.Object({ operation_id: Uuid }, { title: 'BulkOperationParams' });
export type BulkOperationParams = Static<typeof BulkOperationParams>;

/** The same: all items, or those with one outcome. */
export const BulkItemsQuery = Type.Object(
  {
    outcome: Type.Optional(closedEnum(['imported', 'replaced', 'triggered', 'failed', 'pending'])),
    next_cursor: Type.Optional(Type.String()),
    page_size: Type.Integer({ minimum: 1, maximum: 1000, default: 100 }),
  },
  { title: 'BulkItemsQuery' },
);
export type BulkItemsQuery = Static<typeof BulkItemsQuery>;

/** The outcome of every recipe or user of an operation, in the order of the request. */
export const BulkItemsBody = Type.Object(
  {
    data: Type.Array(
      Type.Object({
        index: Type.Integer({ description: 'Index in the request, from 0.' }),
        user_id: Uuid,
        outcome: openEnum(['pending', 'imported', 'replaced', 'triggered', 'failed'], 'replaced: a later recipe named the same user.'),
        reason: nullable(Type.String({ description: 'Stable error code.' })),
      }),
    ),
    next_cursor: nullable(Type.String()),
  },
  { title: 'BulkItemsBody' },
);
export type BulkItemsBody = Static<typeof BulkItemsBody>;
