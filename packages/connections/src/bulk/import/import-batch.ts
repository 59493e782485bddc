import { errorCode } from '@pulsewire/kernel';
import { jsonEvent, withEvents, type Emit, type NewEvent } from '@pulsewire/eventlog';
import { isDataError, plainArray, textArray, writeBisecting, type Tx } from '@pulsewire/database';
import { connectionCreatedEvent } from '../../connection-status/events.ts';
import type { PullConnection } from '../../connections/find-connections.ts';
import { connectorOf } from '../../context/find-connector.ts';
import { clearFailures, countProcessed } from '../operation-status/progress.ts';
import type { ImportContext } from '../operations/context.ts';
import { assertTeamApplication } from '../operations/team-application.ts';
import { checkTokens } from './check-tokens.ts';
import { storeImported, type Import } from './store-imported.ts';
import { validateItems, type OpenItem } from './validate-items.ts';

/** Recipes per transaction. Its events lock shards of the log at the end, so it stays small. */
const batchMax = 250;
/** How long a process may take to check a token; a later worker imports the recipe unchecked. */
const checkMaxSeconds = 120;

interface ClaimedOperation {
  readonly team_id: string;
  readonly provider: string;
  readonly logo_base_url: string;
  readonly waiting: number;
}

// The row lock ensures a single worker: a second one skips the row, and a killed one releases the lock.
async function claim({ sql }: Tx, operationId: string): Promise<ClaimedOperation | null> {
  const [row] = await sql<ClaimedOperation[]>`
    SELECT team_id, provider, logo_base_url, total - processed AS waiting FROM bulk_operations
    WHERE operation_id = ${operationId} AND status = 'in_progress' FOR UPDATE SKIP LOCKED`;
  return row ?? null;
}

async function nextItems({ sql }: Tx, operationId: string): Promise<readonly (OpenItem & { readonly is_in_check: boolean })[]> {
  return sql<(OpenItem & { is_in_check: boolean })[]>`
    SELECT item, user_id, provider_user_id, access_token, refresh_token, expires_at, scopes, check_sent_at, check_outcome,
      check_sent_at > clock_timestamp() - make_interval(secs => ${checkMaxSeconds}) AND check_outcome IS NULL AS is_in_check
    FROM bulk_items WHERE operation_id = ${operationId} AND outcome IS NULL ORDER BY item LIMIT ${batchMax}`;
}

async function saveOutcomes(
  { sql }: Tx,
  operationId: string,
  outcomes: readonly { readonly item: number; readonly reason: string | null }[],
): Promise<void> {
  if (outcomes.length === 0) return;
  const places = outcomes.map(({ item }) => item);
  // The bounds keep every plan within this batch: by the operation alone, it would read all recipes of the operation for each batch.
  await sql`
    UPDATE bulk_items i SET outcome = CASE WHEN n.reason IS NULL THEN 'imported' ELSE 'failed' END, reason = n.reason,
      access_token = NULL, refresh_token = NULL, provider_user_id = NULL
    FROM unnest(${plainArray(places)}::int[], ${textArray(outcomes.map(({ reason }) => reason))}::text[]) AS n(item, reason)
    WHERE i.operation_id = ${operationId} AND i.item = n.item AND i.item BETWEEN ${Math.min(...places)} AND ${Math.max(...places)}`;
}

/**
 * Imports the next recipes in one transaction: connections, encrypted tokens, plans of pulls, queued histories, outcomes, and
 * `provider.connection.created` of each. The number of statements does not depend on the number of recipes. A recipe with values that
 * Postgres rejects fails without affecting the others. `over`: no work is left for this worker; `waits`: another process is checking the
 * tokens of the recipes that are left.
 */
export async function importBatch(context: ImportContext, operationId: string, signal: AbortSignal): Promise<'more' | 'over' | 'waits'> {
  await checkTokens(context, operationId, batchMax, signal);
  try {
    return await runBatch(context, operationId, false);
  } catch (error) {
    if (!isDataError(error)) throw error;
    context.logger.warn({ operationId, errorCode: errorCode(error) }, 'bulk.values_refused');
    return runBatch(context, operationId, true);
  }
}

interface Stored {
  readonly connections: readonly PullConnection[];
  readonly refused: readonly { readonly item: number; readonly reason: string }[];
}

async function storeAll(context: ImportContext, tx: Tx, emit: Emit, work: Import): Promise<Stored> {
  const connections = await storeImported(context, tx, emit, work);
  if (connections.length > 0) await context.onImported?.(tx, connections);
  return { connections, refused: [] };
}

/** Recipes with values that Postgres rejects fail with the SQLSTATE as their reason. */
async function storeIndividually(context: ImportContext, tx: Tx, emit: Emit, work: Import): Promise<Stored> {
  const connections: PullConnection[] = [];
  const refused = await writeBisecting(tx, work.accepted, async (inner, accepted) => {
    const events: NewEvent[] = [];
    const stored = await storeAll(context, inner, (event) => events.push(event), { ...work, accepted });
    connections.push(...stored.connections);
    for (const event of events) emit(event);
  });
  return { connections, refused: refused.map(({ item: { item }, code }) => ({ item: item.item, reason: `sqlstate_${code}` })) };
}

function runBatch(context: ImportContext, operationId: string, isIndividual: boolean): Promise<'more' | 'over' | 'waits'> {
  return withEvents(context.database, async (tx, emit) => {
    const operation = await claim(tx, operationId);
    if (!operation) return 'over';
    const { team_id: teamId, provider, logo_base_url: logoBaseUrl } = operation;
    const connector = connectorOf(context, provider);
    await assertTeamApplication(tx, teamId, provider);
    const open = await nextItems(tx, operationId);
    const items = open.filter((item) => !item.is_in_check);
    if (items.length === 0 && open.length > 0) return 'waits';
    const { accepted, rejected } = await validateItems(tx, { teamId, provider, items, nowMs: context.clock.now().getTime() });
    const stored = await (isIndividual ? storeIndividually : storeAll)(context, tx, emit, { operationId, teamId, connector, accepted });
    const reasons = new Map(stored.refused.map(({ item, reason }) => [item, reason]));
    await saveOutcomes(tx, operationId, [
      ...rejected,
      ...accepted.map(({ item }) => ({ item: item.item, reason: reasons.get(item.item) ?? null })),
    ]);
    await clearFailures(tx, operationId);
    // The recipes of a user who was erased in the meantime are deleted: without this, the operation would never end.
    const done = open.length < batchMax && items.length === open.length ? operation.waiting : items.length;
    const { isOver } = await countProcessed(tx, operationId, done, context.clock.now());
    for (const connection of stored.connections) {
      const { clientUserId } = connection;
      emit(jsonEvent(connectionCreatedEvent(connection, { clientUserId, provider: connector, connector, logoBaseUrl, traceId: null })));
    }
    context.metrics.count('bulk_imports_total', { provider, outcome: 'imported' }, stored.connections.length);
    context.metrics.count('bulk_imports_total', { provider, outcome: 'failed' }, rejected.length + reasons.size);
    return isOver ? 'over' : 'more';
  });
}
