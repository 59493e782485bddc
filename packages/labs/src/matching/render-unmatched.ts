import { renderDateTime } from '@pulsewire/contract';
import { dayMs } from '@pulsewire/kernel';
import { highLevel, isFinal, lowLevel } from '../orders/statuses/status.ts';
import { interpret, overall } from '../results/interpret.ts';
import type { Candidate, DecisionCode } from './decide.ts';
import { renderReview } from './emit-review.ts';
import type { UnmatchedResult } from './read-unmatched.ts';
import { readSealedReport } from './report.ts';

const reasons: Readonly<Record<DecisionCode, string>> = {
  match_sample_id: 'The sample belongs to an order, which cannot take these results.',
  match_completed: 'The sample belongs to an order that is completed already.',
  match_cancelled: 'The sample belongs to an order that was cancelled.',
  wrong_collection: 'The sample belongs to an order of which no sample was expected yet.',
  wrong_lab: 'The patient has orders at other laboratories only.',
  multiple_demo_match: 'Several orders have a patient with this name and birth date.',
  match_sample_id_mismatch_demo: 'The sample belongs to an order of a patient with another name or birth date.',
  match_demo: 'An order has a patient with this name and birth date, but another sample.',
  no_match: 'No order has this sample, or a patient with this name and birth date.',
};

/** How long a result may await its review until it is stale. */
const staleAfterDays = 7;

const isPending = (status: string) => status.startsWith('pending_');

function reasonsOf(candidate: Candidate): readonly string[] {
  const { status, isSameSample, isSamePatient, isSameLab, overlap } = candidate;
  const isEarly = ['ordered', 'awaiting_registration', 'registered'].includes(lowLevel(status));
  return [
    ...(isSameSample ? ['sample_id_match'] : []),
    isSamePatient ? 'demographic_match' : 'demographic_mismatch',
    isSameLab ? 'same_lab' : 'possible_wrong_lab',
    ...(highLevel(status) === 'cancelled' ? ['matched_cancelled_order'] : isFinal(status) ? ['matched_completed_order'] : []),
    ...(isEarly ? ['invalid_collection_state'] : []),
    `marker_overlap_${overlap}`,
  ];
}

function confidenceOf({ isSameSample, isSamePatient, isSameLab, overlap }: Candidate) {
  const points = [isSameSample && 0.5, isSamePatient && 0.25, isSameLab && 0.1, overlap === 'exact' && 0.15, overlap === 'partial' && 0.05];
  const score = Number(points.reduce<number>((sum, one) => sum + Number(one), 0).toFixed(2));
  return { confidence_level: score >= 0.75 ? 'high' : score >= 0.45 ? 'medium' : 'low', confidence_score: score };
}

function renderCandidate(candidate: Candidate) {
  return {
    candidate_type: candidate.isSameSample ? 'provenance_order' : 'order_option',
    order_id: candidate.orderId,
    order_transaction_id: candidate.transactionId,
    last_status: lowLevel(candidate.status),
    ...confidenceOf(candidate),
    reasons: reasonsOf(candidate),
  };
}

/** `now` decides whether the result is stale. */
export function renderUnmatchedResult({ row, lab, details }: UnmatchedResult, now: Date) {
  const { patient, candidates, note } = details;
  const report = readSealedReport(details.report);
  const at = (date: Date) => renderDateTime(date.getTime());
  return {
    ...renderReview(row),
    reason: reasons[row.decisionCode as DecisionCode],
    patient: patient && {
      first_name: patient.firstName,
      last_name: patient.lastName,
      dob: patient.birthDate && `${patient.birthDate}T00:00:00+00:00`,
      gender: patient.gender,
    },
    lab: { id: lab.labId, name: lab.name, slug: lab.slug },
    markers: report.results.map(({ providerId, name }) => ({ provider_id: providerId, name })),
    interpretation: overall(report.results.map(({ flag }) => interpret(flag, false))),
    result_status: report.status,
    note,
    allowed_actions: isPending(row.status) ? ['accept', 'reject', 'unsure'] : [],
    candidate_groups: [...Map.groupBy(candidates, ({ userId }) => userId)].map(([userId, group]) => ({
      user_id: userId,
      candidates: group.map(renderCandidate),
    })),
    is_stale: isPending(row.status) && now.getTime() - row.createdAt.getTime() > staleAfterDays * dayMs,
    created_at: at(row.createdAt),
    updated_at: at(row.updatedAt),
    reviewed_at: row.reviewedAt && at(row.reviewedAt),
  };
}
