import type { Executor } from '@pulsewire/database';
import { readEvents, type LogEvent } from '@pulsewire/eventlog';
import { readTestEvents } from '../../messages/test-events.ts';
import type { ClaimedRow } from './claim-due.ts';

/** Reads the events of claimed rows: from the log by address, and test events, which are not in the log. */
export async function readClaimed(executor: Executor, rows: readonly ClaimedRow[]): Promise<(row: ClaimedRow) => LogEvent | undefined> {
  const tests = rows.filter((row) => row.shard < 0).map((row) => row.eventId);
  const [events, testEvents] = await Promise.all([
    readEvents(
      executor,
      rows.filter((row) => row.shard >= 0),
    ),
    tests.length === 0 ? new Map<string, LogEvent>() : readTestEvents(executor, tests),
  ]);
  const byAddress = new Map(events.map((event) => [`${event.shard}:${event.offset}`, event]));
  return (row) => (row.shard < 0 ? testEvents.get(row.eventId) : byAddress.get(`${row.shard}:${row.offset}`));
}
