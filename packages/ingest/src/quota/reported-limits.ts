import type { QuotaRule, QuotaState } from '@pulsewire/providers';

/**
 * Matches reported limits to the declared rules: by the window where the response names it, else by the limit. A window with several
 * limits, such as one for all requests and one for reads, gets the lowest of each figure.
 */
export function matchReported(rules: readonly QuotaRule[], states: readonly QuotaState[]): ReadonlyMap<number, QuotaState> {
  const byWindow = new Map<number, QuotaState>();
  for (const state of states) {
    const rule = rules.find(({ perMs, requests }) => (state.perMs === undefined ? requests === state.limit : perMs === state.perMs));
    if (!rule || rule.scope !== state.scope) continue;
    const known = byWindow.get(rule.perMs);
    byWindow.set(rule.perMs, {
      ...state,
      limit: Math.min(state.limit, known?.limit ?? state.limit),
      remaining: Math.min(state.remaining, known?.remaining ?? state.remaining),
      resetAfterMs: Math.max(state.resetAfterMs, known?.resetAfterMs ?? 0),
    });
  }
  return byWindow;
}
