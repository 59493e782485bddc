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
  /** Start of the count, ms since 1970: the demand of live pulls before it is unknown. */
  readonly sinceMs: number;
  /** The limit that the provider reported; null: not reported, so the documented one applies. */
  readonly limit: number | null;
  /** Requests that the provider has counted and we have not, until the reset that it named: those of others, and our earlier ones. */
  readonly foreign: { readonly calls: number; readonly untilMs: number; readonly isNamed?: boolean } | null;
  /** The latest past reset that the provider named, ms since 1970: it counts no earlier request. */
  readonly resetMs: number | null;
}

/** The cost of the turns of a lane, recorded while connections have to wait for turns. */
export interface RunCost {
  readonly calls: number;
  readonly turns: number;
}

/** The shared state of one budget. */
export interface BudgetState {
  /** By the window of the rule, ms. */
  readonly rules: Readonly<Record<string, RuleCount>>;
  /** When the provider allows calls again, ms since 1970. */
  readonly stoppedUntilMs: number | null;
  readonly cost: Readonly<Record<PullLane, RunCost>>;
}

const noCost: RunCost = { calls: 0, turns: 0 };

export const emptyBudget: BudgetState = { rules: {}, stoppedUntilMs: null, cost: { live: noCost, backfill: noCost } };

export function countOf(state: BudgetState, rule: QuotaRule, atMs: number): RuleCount {
  // A count written by an older version lacks some fields.
  return { slots: [], sinceMs: atMs, limit: null, foreign: null, resetMs: null, ...state.rules[rule.perMs] };
}
