import { errorCode } from '@pulsewire/kernel';
import { findConnectionsByProviderUser } from '@pulsewire/connections';
import type { Tx } from '@pulsewire/database';
import { withEvents, type Emit } from '@pulsewire/eventlog';
import type { Connector, ParsedPush, PushNotice } from '@pulsewire/providers';
import type { IngestContext } from '../context.ts';
import type { PushJob } from '../jobs/queues.ts';
import { stopRevoked } from '../run/settle-failure.ts';
import { isLinkedSince } from '../plan/is-linked-since.ts';
import { applyNotices } from './apply-notices.ts';
import type { PackedPush } from '../vault/pack-pushed.ts';
import { packPush } from './pack-push.ts';
import { speaksFor } from './push-owner.ts';
import { holdPush, readPush, type StoredPush } from './read-push.ts';

type Parsed = ParsedPush | { readonly errorCode: string };

function parse(connector: Connector, push: Parameters<NonNullable<Connector['push']>['parse']>[0]): Parsed {
  try {
    const { notices, unreadable } = connector.push?.parse(push) ?? { notices: [], unreadable: [] };
    // The same change announced twice is read once. Data is not held against data: what is equal is written once anyway.
    const keyOf = (notice: PushNotice, index: number) => (notice.kind === 'data' ? String(index) : JSON.stringify(notice));
    return { unreadable, notices: [...new Map(notices.map((notice, index) => [keyOf(notice, index), notice])).values()] };
  } catch (error) {
    return { errorCode: errorCode(error) };
  }
}

/**
 * Does what one provider user's notices ask for, in every connection to that account that was made with an application which
 * signed them; false when there is none.
 */
async function applyToAccount(
  context: IngestContext,
  tx: Tx,
  emit: Emit,
  { provider, owners, receivedAt, version, packed }: StoredPush & { readonly packed: readonly PackedPush[] },
  providerUserId: string,
  notices: readonly PushNotice[],
): Promise<boolean> {
  const linked = await findConnectionsByProviderUser(tx, provider, providerUserId);
  const connections = linked.filter((connection) => speaksFor(owners, connection));
  const isRevoked = notices.some((notice) => notice.kind === 'revoked');
  // In one order everywhere, so that two pushes never wait for each other.
  for (const { connectionId } of connections.toSorted((a, b) => a.connectionId.localeCompare(b.connectionId))) {
    if (isRevoked && !(await isLinkedSince(tx, connectionId, receivedAt))) await stopRevoked(context, tx, emit, connectionId);
    else await applyNotices(context, tx, emit, { connectionId, notices, version, packed });
  }
  return connections.length > 0;
}

const attemptsMax = 20;

/** Keeps count of what went wrong, so that a push which can never be worked on does not come back for ever. */
async function recordFailure({ database }: IngestContext, { pushId, day }: PushJob, error: unknown): Promise<void> {
  await database.sql`
    UPDATE push_inbox SET attempts = attempts + 1, error_code = ${errorCode(error)}, state = CASE WHEN attempts + 1 >= ${attemptsMax} THEN 'failed' ELSE state END
    WHERE push_id = ${pushId} AND day = ${day} AND state = 'received'`;
}

interface PushSummary {
  readonly provider: string;
  readonly outcome: 'done' | 'unreadable';
  readonly errorCode: string | undefined;
  readonly notices: number;
  readonly unreadableNotices: number;
  readonly unknownUsers: number;
}

async function settle(context: IngestContext, job: PushJob): Promise<PushSummary | null> {
  const stored = await readPush(context.database, job);
  if (!stored) return null;
  const { provider } = stored;
  const connector = context.connectorFor(provider);
  const parsed: Parsed = connector ? parse(connector, stored.push) : { errorCode: 'provider_unknown' };
  const packed = 'errorCode' in parsed ? [] : await packPush(context, stored, parsed.notices);
  return withEvents(context.database, async (tx, emit) => {
    if (!(await holdPush(tx, job))) return null;
    const finishedAt = context.clock.now().toISOString();
    if ('errorCode' in parsed) {
      await tx.sql`UPDATE push_inbox SET state = 'unreadable', error_code = ${parsed.errorCode}, finished_at = ${finishedAt} WHERE push_id = ${job.pushId} AND day = ${job.day}`;
      return { provider, outcome: 'unreadable', errorCode: parsed.errorCode, notices: 0, unreadableNotices: 0, unknownUsers: 0 };
    }
    const byUser = Map.groupBy(parsed.notices, (notice) => notice.providerUserId);
    let unknownUsers = 0;
    for (const [providerUserId, notices] of [...byUser].toSorted(([a], [b]) => (a < b ? -1 : 1))) {
      if (!(await applyToAccount(context, tx, emit, { ...stored, packed }, providerUserId, notices))) unknownUsers += 1;
    }
    const unreadableNotices = parsed.unreadable.length;
    const partCode = unreadableNotices > 0 ? 'notices_unreadable' : undefined;
    await tx.sql`
      UPDATE push_inbox SET state = 'done', notices = ${parsed.notices.length}, unreadable_notices = ${unreadableNotices},
        error_code = ${partCode ?? null}, unknown_users = ${unknownUsers}, finished_at = ${finishedAt}
      WHERE push_id = ${job.pushId} AND day = ${job.day}`;
    return { provider, outcome: 'done', errorCode: partCode, notices: parsed.notices.length, unreadableNotices, unknownUsers };
  });
}

/**
 * Works on a stored push, in one transaction: plans live windows for what it announces, stores the data that it brought, ends
 * connections whose consent it says is gone. An unknown user is noted and no fault: the user has left, or belongs to another installation.
 * A repeat finds the push done. A failure is counted and thrown, for the job to repeat it.
 */
export async function workPush(context: IngestContext, job: PushJob): Promise<void> {
  const summary = await settle(context, job).catch(async (error: unknown) => {
    await recordFailure(context, job, error);
    throw error;
  });
  if (!summary) return;
  context.logger[summary.errorCode === undefined ? 'info' : 'warn']({ pushId: job.pushId, ...summary }, 'push.worked');
  context.metrics.count('ingest_pushes_total', { provider: summary.provider, outcome: summary.outcome });
}
