import { applicationBudget, createBudgets, admitNext, mayStart, joinQueue, type BudgetKey } from '@pulsewire/ingest';
import { seekerOf, type QuotaHarness } from './harness.ts';

type Turn = QuotaHarness['ready'][number];

interface Running extends Turn {
  callsLeft: number;
  calls: number;
  /** Idle until then. */
  nextMs: number;
  /** Since when it is refused; null: not refused. */
  refusedMs: number | null;
}

export interface SimulatedProcess {
  /** Does all work of this process for one tick; returns the runs that ended. */
  step(isSecond: boolean): Promise<readonly Turn[]>;
  /** The runs left unfinished when it is killed. */
  held(): readonly Turn[];
}

const workers = 48;
const latencyMs = 400;
const firstWaitMs = 2000;
const startedWaitMs = 30_000;
const backfillCalls = 10;
const liveShare = 0.2;

/** A process of ingest without its pulls: limiter, queue and selection are the real ones; calls go to the counting provider. */
export function startProcess(harness: QuotaHarness): SimulatedProcess {
  const { database, clock, provider, connector, random, ready, scenario } = harness;
  const budgets = createBudgets({ database, clock }, liveShare);
  const key = applicationBudget(connector, { application: 'platform', teamId: '' }) as BudgetKey;
  let running: Running[] = [];

  async function start(): Promise<void> {
    const turns = ready.splice(0, workers - running.length);
    await Promise.all(
      turns.map(async (turn) => {
        if (!(await mayStart(database, seekerOf(harness, turn.connectionId), clock.now()))) return;
        const callsLeft = turn.lane === 'backfill' ? backfillCalls : 1 + Math.floor(random() * scenario.callsMax);
        running.push({ ...turn, callsLeft, calls: 0, nextMs: 0, refusedMs: null });
      }),
    );
  }

  /** Makes the next call of a run when it is due. `waits`: the run is back in the queue for quota. */
  async function advance(turn: Running): Promise<'ended' | 'waits' | 'continues'> {
    const nowMs = clock.now().getTime();
    if (turn.nextMs > nowMs) return 'continues';
    if (turn.calls > 0 && turn.refusedMs === null) budgets.callEnded(key);
    if (turn.callsLeft === 0) {
      budgets.turnEnded(key, turn.lane, turn.calls);
      if (turn.lane === 'live') harness.readAt.set(turn.connectionId, nowMs);
      return 'ended';
    }
    const permit = await budgets.take(key, turn.lane);
    if (permit.isGranted) {
      const tookMs = random() * latencyMs;
      provider.arrive(nowMs + tookMs);
      Object.assign(turn, { callsLeft: turn.callsLeft - 1, calls: turn.calls + 1, nextMs: nowMs + tookMs + 1, refusedMs: null });
      return 'continues';
    }
    turn.refusedMs ??= nowMs;
    if (nowMs + permit.freeInMs - turn.refusedMs <= (turn.calls > 0 ? startedWaitMs : firstWaitMs)) return 'continues';
    if (turn.calls > 0) budgets.turnEnded(key, turn.lane, turn.calls);
    await joinQueue(database, turn.connectionId, { owner: key.owner, lane: turn.lane, isInterrupted: turn.calls > 0, now: clock.now() });
    return 'waits';
  }

  return {
    async step(isSecond) {
      if (isSecond) {
        await budgets.returnUnused();
        const admit = async (connectionId: string, lane: Turn['lane']) => void ready.push({ connectionId, lane });
        await admitNext({ database, clock, connectorFor: () => connector, liveShare, admit });
      }
      await start();
      const outcomes = await Promise.all(running.map(async (turn) => ({ turn, outcome: await advance(turn) })));
      running = outcomes.filter(({ outcome }) => outcome === 'continues').map(({ turn }) => turn);
      return outcomes.filter(({ outcome }) => outcome === 'ended').map(({ turn }) => turn);
    },
    held: () => running,
  };
}
