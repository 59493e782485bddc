import { jsonEvent, type Emit } from '@pulsewire/eventlog';
import type { MatchReview } from '@pulsewire/contract';
import type { labUnmatchedResults } from '../model/order-tables.ts';

export type UnmatchedRow = typeof labUnmatchedResults.$inferSelect;

export function renderReview(row: UnmatchedRow): MatchReview {
  return {
    id: row.resultId,
    status: row.status,
    decision_code: row.decisionCode,
    sub_reason_codes: [],
    resolution_action: row.resolutionAction,
    resolved_user_id: row.resolvedUserId,
    resolved_order_id: row.resolvedOrderId,
  };
}

/** The patient is not known, so the event has no user. */
export function emitReview(emit: Emit, row: UnmatchedRow, isNew: boolean): void {
  const eventType = isNew ? 'labtest.match_review.created' : 'labtest.match_review.updated';
  emit(jsonEvent({ eventType, teamId: row.teamId, userId: null, clientUserId: null, data: renderReview(row) }));
}
