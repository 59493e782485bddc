/**
 * The result of an attempt; the numbers are those of `webhook_attempts.outcome`. Queries write `outcome > 1` as a literal, because the
 * planner matches the partial index of failures (`webhook_attempts_failed`) against the text of the query and not against parameters.
 */
export const attemptOutcomes = { delivered: 1, failed: 2, exhausted: 3, superseded: 4 } as const;
export type AttemptOutcome = keyof typeof attemptOutcomes;
