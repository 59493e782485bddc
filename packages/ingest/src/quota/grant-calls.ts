import type { QuotaRule, PullLane } from '@pulsewire/providers';
import { countOf, type BudgetState } from './budget-state.ts';
import { charge, freeInMs, limitOf, capacityOf, slotAt, usedOf, type CapacityQuery } from './quota-window.ts';

/** Unused grants, with the time at which they were given. */
export interface Unused {
  readonly atMs: number;
  readonly lane: PullLane;
  readonly calls: number;
}

/** A limit as the provider reported it. */
export interface ReportedLimit {
  readonly perMs: number;
  readonly limit: number;
  readonly remaining: number;
  readonly resetAfterMs: number;
  /** The provider named the reset; otherwise it was calculated, and our own count applies past it. */
  readonly isNamed: boolean;
  /** Requests of this process that the provider had not counted yet when it reported. */
  readonly open: number;
}

export interface Grant {
  readonly state: BudgetState;
  readonly granted: number;
  /** When nothing was granted: time until the next request makes sense, ms. */
  readonly freeInMs: number;
}

function withRules(state: BudgetState, rules: readonly QuotaRule[], atMs: number, change: (rule: QuotaRule) => ReturnType<typeof countOf>) {
  return { ...state, rules: { ...state.rules, ...Object.fromEntries(rules.map((rule) => [rule.perMs, change(rule)])) } };
}

/** Requests that a lane may make now: the least that any rule leaves. Pure. */
export function capacityFor(state: BudgetState, rules: readonly QuotaRule[], atMs: number, question: CapacityQuery): number {
  if (state.stoppedUntilMs !== null && state.stoppedUntilMs > atMs) return 0;
  return Math.min(...rules.map((rule) => capacityOf(rule, countOf(state, rule, atMs), atMs, question)));
}

/** Grants up to `wanted` requests to the lane and counts them under every rule. Pure. */
export function grantCalls(
  state: BudgetState,
  rules: readonly QuotaRule[],
  atMs: number,
  question: CapacityQuery & { readonly wanted: number },
): Grant {
  const { lane, wanted } = question;
  const available = capacityFor(state, rules, atMs, question);
  // Never all that is left: other processes need some.
  const granted = Math.min(wanted, Math.ceil(available / 4));
  if (granted > 0) {
    const charged = withRules(state, rules, atMs, (rule) => charge(rule, countOf(state, rule, atMs), slotAt(rule, atMs), lane, granted));
    return { state: charged, granted, freeInMs: 0 };
  }
  const blocked = rules.filter((rule) => capacityOf(rule, countOf(state, rule, atMs), atMs, question) === 0);
  const waits = blocked.map((rule) => freeInMs(rule, countOf(state, rule, atMs), atMs));
  const since = withRules(state, rules, atMs, (rule) => countOf(state, rule, atMs));
  return { state: since, granted: 0, freeInMs: Math.max(1, (state.stoppedUntilMs ?? 0) - atMs, ...waits) };
}

/** Returns unused grants to the count. Pure. */
export function returnCalls(state: BudgetState, rules: readonly QuotaRule[], { atMs, lane, calls }: Unused): BudgetState {
  return withRules(state, rules, atMs, (rule) => {
    const count = countOf(state, rule, atMs);
    const slot = slotAt(rule, atMs);
    return count.slots.some(([index]) => index === slot) ? charge(rule, count, slot, lane, -calls) : count;
  });
}

/** Replaces our own count with the provider's. Pure. */
export function correct(state: BudgetState, rules: readonly QuotaRule[], atMs: number, reported: readonly ReportedLimit[]): BudgetState {
  const byWindow = new Map(reported.map((limit) => [limit.perMs, limit]));
  const meant = rules.filter((rule) => byWindow.has(rule.perMs));
  return withRules(state, meant, atMs, (rule) => {
    const count = countOf(state, rule, atMs);
    const { limit, remaining, resetAfterMs, isNamed, open } = byWindow.get(rule.perMs) ?? {
      limit: limitOf(rule, count),
      remaining: 0,
      resetAfterMs: 0,
      isNamed: false,
      open: 0,
    };
    const own = usedOf(rule, count, atMs);
    const calls = Math.max(0, limit - remaining + open - own.live - own.backfill);
    const named = [...(count.foreign?.isNamed ? [count.foreign.untilMs] : []), ...(isNamed ? [atMs + resetAfterMs] : [])];
    const resets = named.filter((at) => at <= atMs);
    return {
      ...count,
      limit,
      foreign: resetAfterMs > 0 ? { calls, untilMs: atMs + resetAfterMs, isNamed } : null,
      resetMs: resets.length > 0 ? Math.max(...resets) : count.resetMs,
    };
  });
}
