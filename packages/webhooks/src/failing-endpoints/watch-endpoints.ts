import type { Clock } from '@pulsewire/kernel';
import { writeBisecting, type Database, type Tx } from '@pulsewire/database';
import { rehearseAppend, withEvents, type Emit, type NewEvent } from '@pulsewire/eventlog';
import { disabledEvent, failingEvent } from '../model/lifecycle-events.ts';
import { judgeClock } from './failure-clock.ts';
import { clearClocks, disableFailing, recordWarned, startClocks } from './move-clocks.ts';
import { readClocked, readStarting, type Clocked } from './read-failures.ts';

const pageSize = 500;
const firstId = '00000000-0000-0000-0000-000000000000';

/** The result of a check, as numbers of endpoints. */
export interface WatchedEndpoints {
  readonly started: number;
  readonly cleared: number;
  readonly warned: number;
  readonly disabled: number;
  /** Left unchanged, because Postgres rejected the update. */
  readonly refused: number;
}

/**
 * Watches endpoints whose deliveries all fail: starts and ends their failure clocks, warns about them, and disables those that have failed
 * for five days. Everything derives from recorded attempts, so it does not matter which dispatcher made them, and the next check makes up
 * for a skipped or interrupted one. Each update is conditional on what was read and commits with its event, so concurrent checks announce
 * everything once.
 */
export async function watchEndpoints(
  { database, clock }: { readonly database: Database; readonly clock: Clock },
  signal?: AbortSignal,
): Promise<WatchedEndpoints> {
  const now = clock.now();
  const sum = { started: 0, cleared: 0, warned: 0, disabled: 0, refused: 0 };
  // Running clocks come first, so that a clock started in this check is not judged in it.
  for (let afterId: string | null = firstId; afterId !== null && signal?.aborted !== true;) {
    const page = { afterId, limit: pageSize, now };
    afterId = await withEvents(database, async (tx, emit) => {
      const rows = await readClocked(tx, page);
      // An endpoint whose values Postgres rejects must not block the others.
      const refused = await writeBisecting(tx, rows, async (inner, some) => {
        const events: NewEvent[] = [];
        const counts = await settle(inner, (event) => events.push(event), some, now);
        await rehearseAppend(inner, events);
        events.forEach(emit);
        for (const name of Object.keys(counts) as (keyof Sum)[]) sum[name] += counts[name];
      });
      sum.refused += refused.length;
      return rows.length < pageSize ? null : (rows.at(-1)?.endpoint_id ?? null);
    });
  }
  for (let afterId: string | null = firstId; afterId !== null && signal?.aborted !== true;) {
    const page = { afterId, limit: pageSize, now };
    afterId = await database.transaction(async (tx) => {
      const { starting, last } = await readStarting(tx, page);
      const refused = await writeBisecting(tx, starting, async (inner, some) => {
        sum.started += await startClocks(inner, some);
      });
      sum.refused += refused.length;
      return last;
    });
  }
  return sum;
}

type Sum = { -readonly [K in keyof WatchedEndpoints]: WatchedEndpoints[K] };

async function settle(tx: Tx, emit: Emit, rows: readonly Clocked[], now: Date): Promise<Sum> {
  const verdicts = { clear: [] as Clocked[], disable: [] as Clocked[], warn: [] as Clocked[], wait: [] as Clocked[] };
  for (const row of rows) verdicts[judgeClock(clockOf(row), now.getTime())].push(row);
  const cleared = await clearClocks(tx, verdicts.clear);
  const warned = await recordWarned(tx, verdicts.warn, now);
  for (const row of verdicts.warn) {
    if (warned.has(row.endpoint_id)) emit(failingEvent(factsOf(row), Date.parse(row.failing_since), lastOf(row)));
  }
  const disabled = await disableFailing(tx, verdicts.disable, now);
  for (const row of verdicts.disable) {
    if (disabled.has(row.endpoint_id)) emit(disabledEvent(factsOf(row), 'failing', Date.parse(row.failing_since), lastOf(row)));
  }
  return { started: 0, cleared, warned: warned.size, disabled: disabled.size, refused: 0 };
}

const factsOf = ({ endpoint_id, team_id }: Clocked) => ({ endpointId: endpoint_id, teamId: team_id });
const lastOf = ({ status, failed_at }: Clocked) => ({ status, atMs: Date.parse(failed_at ?? '') });

function clockOf({ failing_since, is_warned, has_succeeded, failed_at }: Clocked) {
  return {
    failingSinceMs: Date.parse(failing_since),
    isWarned: is_warned,
    hasSucceeded: has_succeeded,
    lastFailureMs: failed_at === null ? null : Date.parse(failed_at),
  };
}
