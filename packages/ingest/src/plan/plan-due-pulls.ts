import { errorCode, type Logger } from '@pulsewire/kernel';
import { connectionsForPulls, usersSharingResources } from '@pulsewire/connections';
import type { Database, Tx } from '@pulsewire/database';
import type { PlanContext } from '../context/context.ts';
import { pullableOf } from '../context/pullable.ts';
import { deferDuePull, lockDuePoll, lockDuePolls, recordPolls, type DuePoll } from '../connection-schedule/due-times.ts';
import { stopSchedule, stopSchedules } from '../connection-schedule/stop-schedule.ts';
import { localDay } from '../model/local-day.ts';
import { isInEveryPoll } from '../model/poll-interval.ts';
import { addWindowsOfMany, type ConnectionWindows } from '../window/add-windows.ts';
import { readCursorsOfMany, recordPolled, type PolledPull } from '../window/cursors.ts';
import { liveWindows } from './live-windows.ts';
import { duePulls } from './missing-windows.ts';
import { nextPullAt, planPoll } from './plan-poll.ts';
import { pullsOf, runsIn } from './pulls-of.ts';

type PollContext = PlanContext & { readonly database: Database; readonly logger: Logger };

/** How long a connection that could not be planned is left alone. */
const setbackMs = 15 * 60_000;
/** Connections planned in one transaction. */
const setMax = 250;

/**
 * Plans every connection whose poll is due, `limit` at most, hundreds in one transaction; returns how many were due. Several schedulers may
 * call it at the same time: each takes what no other has locked. One that cannot be planned is logged and deferred to the next poll, so that
 * it does not block the others. A connection that waits for quota is polled when its turn comes.
 */
export async function planDuePulls(context: PollContext, limit = 500): Promise<number> {
  let count = 0;
  while (count < limit) {
    const asked = Math.min(setMax, limit - count);
    const set = await planSet(context, asked);
    count += set.count;
    for (const connectionId of set.single) await planSingly(context, connectionId);
    if (set.count < asked) break;
  }
  return count;
}

/** Connections that were due, and those among them that must be planned by themselves. */
interface PlannedSet {
  readonly count: number;
  readonly single: readonly string[];
}

async function planSet(context: PollContext, limit: number): Promise<PlannedSet> {
  let due: readonly DuePoll[] = [];
  try {
    return await context.database.transaction(async (tx) => {
      due = await lockDuePolls(tx, context.clock.now().toISOString(), limit);
      return { count: due.length, single: due.length === 0 ? [] : await planTogether(context, tx, due) };
    });
  } catch (error) {
    if (due.length === 0) throw error;
    // One of them cannot be planned: alone it does not hold up the others.
    context.logger.warn({ connections: due.length, errorCode: errorCode(error) }, 'plan.set_failed');
    return { count: due.length, single: due.map(({ connectionId }) => connectionId) };
  }
}

/** Plans what differs from poll to poll only in its days, with as many statements for hundreds as for one. Returns the other connections. */
async function planTogether(context: PollContext, tx: Tx, due: readonly DuePoll[]): Promise<readonly string[]> {
  const now = context.clock.now();
  const found = await connectionsForPulls(
    tx,
    due.map(({ connectionId }) => connectionId),
  );
  const byId = new Map(found.map((connection) => [connection.connectionId, pullableOf(context, connection)]));
  const gone = due.filter(({ connectionId }) => !byId.get(connectionId)).map(({ connectionId }) => connectionId);
  if (gone.length > 0) await stopSchedules(tx, gone, now);
  const sharing = await usersSharingResources(tx, [...new Set(found.map(({ userId }) => userId))]);
  const cursorsOf = await readCursorsOfMany(
    tx,
    due.map(({ connectionId }) => connectionId),
  );
  const single: string[] = [];
  const added: ConnectionWindows[] = [];
  const polled: PolledPull[] = [];
  const polls: { readonly connectionId: string; readonly nextPullAt: string }[] = [];
  // By id: their windows are locked in this order.
  for (const { connectionId, noticedAt, isLeased } of due.toSorted((a, b) => (a.connectionId < b.connectionId ? -1 : 1))) {
    const pullable = byId.get(connectionId);
    if (!pullable) continue;
    const { connection, connector } = pullable;
    const cursors = cursorsOf.get(connectionId) ?? new Map();
    const pulls = pullsOf(connector, connection);
    // A new pull has a history; days that another connection shares are decided one by one; a worker holds windows of a leased one.
    if (isLeased || sharing.has(connection.userId) || pulls.some(({ name }) => !cursors.has(name))) {
      single.push(connectionId);
      continue;
    }
    const live = pulls.filter((pull) => runsIn(pull, 'live'));
    const { due: wanted, shallow } = duePulls(pullable, live, cursors, now, { noticedAt });
    added.push({ connection, plans: liveWindows(connection, wanted, cursors, localDay(connection, now), shallow) });
    for (const pull of wanted) {
      const isReread = !shallow.has(pull.name);
      if (isReread || !isInEveryPoll(connector, pull, noticedAt, now)) polled.push({ connectionId, pull: pull.name, isReread });
    }
    polls.push({ connectionId, nextPullAt: nextPullAt(context, connector, now) });
  }
  await recordPolls(tx, polls, now);
  await addWindowsOfMany(tx, added, 'live', now);
  await recordPolled(tx, polled, now);
  await context.jobs.wakeAll(
    tx,
    polls.map(({ connectionId }) => connectionId),
  );
  return single;
}

async function planSingly(context: PollContext, connectionId: string): Promise<void> {
  const { database, clock, logger } = context;
  const now = clock.now();
  const at = now.toISOString();
  const planned = database.transaction(async (tx) => {
    if (!(await lockDuePoll(tx, connectionId, at))) return;
    if (!(await planPoll(context, tx, connectionId))) await stopSchedule(tx, connectionId, now);
  });
  await planned.catch(async (error: unknown) => {
    logger.error({ connectionId, errorCode: errorCode(error) }, 'plan.poll_failed');
    await deferDuePull(database, connectionId, at, new Date(now.getTime() + setbackMs).toISOString());
  });
}
