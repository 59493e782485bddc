import { AppError, type Clock } from '@pulsewire/kernel';
import type { Database } from '@pulsewire/database';
import type { QuotaState, PullLane } from '@pulsewire/providers';
import type { BudgetKey, BudgetState, RunCost } from './budget-state.ts';
import { changeBudget } from './budget-row.ts';
import { slackMs } from './quota-window.ts';
import { correct, grantCalls, returnCalls, type ReportedLimit, type Unused } from './grant-calls.ts';
import { matchReported } from './reported-limits.ts';

/** Whether a call may be made now; if not, when to try again. */
export type Permit = { readonly isGranted: true } | { readonly isGranted: false; readonly freeInMs: number };

/** The part of the shared budgets that this process holds: it takes grants in blocks, enough for about a second of its work. */
export interface Budgets {
  /** Requests one call. Every granted one is ended by `callEnded` or `putBack`. */
  take(key: BudgetKey, lane: PullLane): Promise<Permit>;
  callEnded(key: BudgetKey): void;
  /** The call was not made. */
  putBack(key: BudgetKey, lane: PullLane): void;
  /** Quotas reported by a response; written to the shared row with the next block, and at once when nothing remains. */
  reported(key: BudgetKey, states: readonly QuotaState[]): void;
  /** Writes pending state that other processes must know now. */
  settle(key: BudgetKey): Promise<void>;
  /** Stops all calls on this budget for this long. */
  stop(key: BudgetKey, delayMs: number): Promise<void>;
  /** Records the cost of a connection's turn. */
  turnEnded(key: BudgetKey, lane: PullLane, calls: number): void;
  /**
   * Returns expired unused grants, and drops unused budgets from memory once their state is written. Throws when some failed, after the
   * others. Call it about once a second.
   */
  returnUnused(): Promise<void>;
}

interface Block {
  left: number;
  atMs: number;
  untilMs: number;
  /** Wanted next time. */
  size: number;
  waiting: number;
  fetching: Promise<{ granted: number; freeInMs: number }> | null;
}

interface Entry {
  readonly key: BudgetKey;
  readonly blocks: Record<PullLane, Block>;
  unused: Unused[];
  reported: Map<number, Omit<ReportedLimit, 'resetAfterMs'> & { readonly resetAtMs: number }>;
  turns: Record<PullLane, RunCost>;
  /** Calls in flight. */
  open: number;
  isUrgent: boolean;
}

const blockMax = 64;
const turnsRemembered = 100;
const triesMax = 3;
const newBlock = (): Block => ({ left: 0, atMs: 0, untilMs: 0, size: 1, waiting: 0, fetching: null });
const noCost: RunCost = { calls: 0, turns: 0 };

function addCost(known: RunCost, { calls, turns }: RunCost): RunCost {
  const sum = { calls: known.calls + calls, turns: known.turns + turns };
  return sum.turns > turnsRemembered ? { calls: sum.calls / 2, turns: sum.turns / 2 } : sum;
}

/** Budgets as one process sees them. `liveShare`: share of a quota that backfills leave unused until the demand of live pulls is known. */
export function createBudgets({ database, clock }: { readonly database: Database; readonly clock: Clock }, liveShare: number): Budgets {
  const entries = new Map<string, Entry>();

  function entryOf(key: BudgetKey): Entry {
    const id = `${key.provider} ${key.owner}`;
    const known = entries.get(id);
    if (known) return known;
    const made: Entry = {
      key,
      blocks: { live: newBlock(), backfill: newBlock() },
      unused: [],
      reported: new Map(),
      turns: { live: noCost, backfill: noCost },
      open: 0,
      isUrgent: false,
    };
    entries.set(id, made);
    return made;
  }

  /** Half of the slack is for waiting here, the other half for the network. */
  const validMs = ({ rules }: BudgetKey) => slackMs(Math.min(...rules.map(({ perMs }) => perMs))) / 2;

  function dropBlock(block: Block, lane: PullLane, entry: Entry): void {
    if (block.left > 0) entry.unused.push({ atMs: block.atMs, lane, calls: block.left });
    block.left = 0;
  }

  /** State of this process that is not yet in the shared row. */
  function takePending(entry: Entry): (state: BudgetState, atMs: number) => BudgetState {
    const { key, unused, turns } = entry;
    const nowMs = clock.monotonicMs();
    const reported = [...entry.reported.values()].map(({ resetAtMs, ...limit }) => ({ ...limit, resetAfterMs: resetAtMs - nowMs }));
    Object.assign(entry, { unused: [], reported: new Map(), turns: { live: noCost, backfill: noCost }, isUrgent: false });
    return (state, atMs) => {
      const returned = unused.reduce((sum, calls) => returnCalls(sum, key.rules, calls), state);
      const corrected = correct(returned, key.rules, atMs, reported);
      const cost = {
        live: addCost(state.cost.live, turns.live),
        backfill: addCost(state.cost.backfill, turns.backfill),
      };
      return { ...corrected, cost };
    };
  }

  async function fetchBlock(entry: Entry, lane: PullLane): Promise<{ granted: number; freeInMs: number }> {
    const { key } = entry;
    const block = entry.blocks[lane];
    if (block.left > 0) block.size = Math.max(1, block.size - block.left);
    dropBlock(block, lane, entry);
    const wanted = Math.max(block.waiting, block.size);
    const pending = takePending(entry);
    const requestedMs = clock.monotonicMs();
    const changed = await changeBudget(database, clock, key, ({ state, atMs, isLiveWaiting }) => {
      const isPaced = key.connectionId === null;
      const grant = grantCalls(pending(state, atMs), key.rules, atMs, { lane, isLiveWaiting, liveShare, isPaced, wanted });
      return { state: grant.state, result: { grant, atMs } };
    });
    if (!changed) throw new AppError({ code: 'connection_not_found', kind: 'not_found', message: 'The connection no longer exists' });
    const { grant, atMs } = changed;
    block.left = grant.granted;
    block.atMs = atMs;
    // Measured before the request, when the database's clock was not later.
    block.untilMs = requestedMs + validMs(key);
    block.size = grant.granted === wanted ? Math.min(blockMax, wanted * 2) : Math.max(1, grant.granted);
    return grant;
  }

  const hasNews = ({ reported, turns }: Entry) => reported.size > 0 || turns.live.turns + turns.backfill.turns > 0;

  async function write(entry: Entry, change: (state: BudgetState, atMs: number) => BudgetState = (state) => state): Promise<void> {
    const pending = takePending(entry);
    await changeBudget(database, clock, entry.key, ({ state, atMs }) => ({ state: change(pending(state, atMs), atMs), result: null }));
  }

  return {
    async take(key, lane) {
      const entry = entryOf(key);
      const block = entry.blocks[lane];
      for (let tries = 0; tries < triesMax; tries++) {
        if (block.left > 0 && clock.monotonicMs() < block.untilMs) {
          block.left -= 1;
          entry.open += 1;
          return { isGranted: true };
        }
        block.waiting += 1;
        // In a microtask, so that calls that start together share one request.
        block.fetching ??= Promise.resolve()
          .then(() => fetchBlock(entry, lane))
          .finally(() => (block.fetching = null));
        const { granted, freeInMs } = await block.fetching.finally(() => (block.waiting -= 1));
        if (granted === 0) return { isGranted: false, freeInMs };
      }
      return { isGranted: false, freeInMs: 1 };
    },
    callEnded: (key) => void (entryOf(key).open -= 1),
    putBack(key, lane) {
      const entry = entryOf(key);
      entry.open -= 1;
      entry.unused.push({ atMs: entry.blocks[lane].atMs, lane, calls: 1 });
    },
    reported(key, states) {
      const entry = entryOf(key);
      for (const [perMs, { limit, remaining, resetAfterMs, isEstimated }] of matchReported(key.rules, states)) {
        const unsent = entry.blocks.live.left + entry.blocks.backfill.left;
        const open = Math.max(0, entry.open - 1) + unsent;
        const resetAtMs = clock.monotonicMs() + resetAfterMs;
        entry.reported.set(perMs, { perMs, limit, remaining, open, resetAtMs, isNamed: isEstimated !== true });
        if (remaining > 0) continue;
        entry.isUrgent = true;
        for (const lane of ['live', 'backfill'] as const) dropBlock(entry.blocks[lane], lane, entry);
      }
    },
    async settle(key) {
      const entry = entryOf(key);
      if (entry.isUrgent) await write(entry);
    },
    async stop(key, delayMs) {
      const entry = entryOf(key);
      for (const lane of ['live', 'backfill'] as const) dropBlock(entry.blocks[lane], lane, entry);
      await write(entry, (state, atMs) => ({ ...state, stoppedUntilMs: Math.max(state.stoppedUntilMs ?? 0, atMs + delayMs) }));
    },
    turnEnded(key, lane, calls) {
      const { turns } = entryOf(key);
      turns[lane] = addCost(turns[lane], { calls, turns: 1 });
    },
    async returnUnused() {
      const errors: unknown[] = [];
      for (const [id, entry] of entries) {
        for (const lane of ['live', 'backfill'] as const) {
          const block = entry.blocks[lane];
          if (block.untilMs <= clock.monotonicMs() && !block.fetching) dropBlock(block, lane, entry);
        }
        const { live, backfill } = entry.blocks;
        const isIdle = () => entry.open === 0 && live.left + backfill.left === 0 && !live.fetching && !backfill.fetching;
        // A busy budget is written with its next block.
        const isDue = entry.unused.length > 0 || entry.isUrgent || (isIdle() && hasNews(entry));
        if (isDue) await write(entry).catch((error: unknown) => errors.push(error));
        if (isIdle() && entry.unused.length === 0 && !hasNews(entry)) entries.delete(id);
      }
      if (errors.length > 0) throw errors[0];
    },
  };
}
