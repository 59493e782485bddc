import type { QuotaRule, PullLane } from '@pulsewire/providers';

/** Whose requests are counted together, and under which limits. */
export interface BudgetKey {
  readonly provider: string;
  /** `platform` or a team's id for the requests of an application; a connection's id for those of one user. */
  readonly owner: string;
  /** Set for the limits of one user. */
  readonly connectionId: string | null;
  readonly rules: readonly QuotaRule[];
}

/** Requests of one slot of time, a hundredth of the rule's window: its number since 1970, live ones, those of backfills. */
export type Slot = readonly [index: number, live: number, backfill: number];

export interface RuleCount {
  readonly slots: readonly Slot[];
  /** Counting since, ms since 1970: before that nothing is known of what live pulls need. */
  readonly sinceMs: number;
  /** The limit by the provider's own words; null: it did not say, the documents' holds. */
  readonly limit: number | null;
  /** Requests that the provider has counted and we have not: those of others, and ours from before. Until the reset that it named. */
  readonly foreign: { readonly calls: number; readonly untilMs: number; readonly isNamed?: boolean } | null;
  /** Of the resets that the provider named the last one that has come, ms since 1970: it counts nothing that was asked before. */
  readonly resetMs: number | null;
}

/** What the turns of a lane cost, for as long as connections have had to wait for one. */
export interface RunCost {
  readonly calls: number;
  readonly turns: number;
}

/** Everything that the processes know together of one budget. */
export interface BudgetState {
  /** By the window of the rule, ms. */
  readonly rules: Readonly<Record<string, RuleCount>>;
  /** The provider said to come back then, ms since 1970. */
  readonly stoppedUntilMs: number | null;
  readonly cost: Readonly<Record<PullLane, RunCost>>;
}

const noCost: RunCost = { calls: 0, turns: 0 };

export const emptyBudget: BudgetState = { rules: {}, stoppedUntilMs: null, cost: { live: noCost, backfill: noCost } };

export function countOf(state: BudgetState, rule: QuotaRule, atMs: number): RuleCount {
  // A count that an older version wrote knows of fewer things.
  return { slots: [], sinceMs: atMs, limit: null, foreign: null, resetMs: null, ...state.rules[rule.perMs] };
}
