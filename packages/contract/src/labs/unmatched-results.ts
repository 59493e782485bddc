import { Type, type Static } from 'typebox';
import { closedEnum, DateTime, nullable, openEnum, optional, optionalInput, Uuid } from '../fields/fields.ts';
import { interpretations } from './enums.ts';

const reviewStatuses = ['matched', 'pending_customer_review', 'pending_ops_review', 'resolved'] as const;
const decisionCodes = [
  'match_sample_id',
  'match_completed',
  'match_cancelled',
  'wrong_collection',
  'wrong_lab',
  'multiple_demo_match',
  'match_sample_id_mismatch_demo',
  'match_demo',
  'no_match',
] as const;
const actions = ['accept', 'reject', 'unsure'] as const;

const decision = {
  id: Uuid,
  status: openEnum(reviewStatuses),
  decision_code: openEnum(decisionCodes),
  sub_reason_codes: Type.Array(openEnum(['lab_account_mismatch'])),
};
const resolution = {
  resolution_action: optional(openEnum(actions)),
  resolved_user_id: optional(Uuid),
  resolved_order_id: optional(Uuid),
};

/** `data` of `labtest.match_review.*`. */
export const MatchReview = Type.Object({ ...decision, ...resolution }, { title: 'MatchReview' });
export type MatchReview = Static<typeof MatchReview>;

const Candidate = Type.Object(
  {
    candidate_type: openEnum(['provenance_order', 'order_option']),
    order_id: optional(Uuid),
    order_transaction_id: optional(Uuid),
    last_status: optional(Type.String()),
    confidence_level: openEnum(['high', 'medium', 'low']),
    confidence_score: optional(Type.Number({ minimum: 0, maximum: 1 })),
    reasons: Type.Array(
      openEnum([
        'sample_id_match',
        'matched_completed_order',
        'matched_cancelled_order',
        'invalid_collection_state',
        'demographic_mismatch',
        'demographic_match',
        'possible_wrong_lab',
        'same_lab',
        'marker_overlap_exact',
        'marker_overlap_partial',
        'marker_overlap_none',
      ]),
    ),
  },
  { title: 'MatchCandidate' },
);

export const UnmatchedResult = Type.Object(
  {
    ...decision,
    reason: Type.String(),
    patient: optional(
      Type.Object(
        {
          first_name: nullable(Type.String()),
          last_name: nullable(Type.String()),
          dob: nullable(DateTime),
          gender: nullable(Type.String()),
        },
        { title: 'MatchPatient' },
      ),
    ),
    lab: Type.Object({ id: Type.Integer(), name: Type.String(), slug: Type.String() }, { title: 'MatchLab' }),
    markers: Type.Array(Type.Object({ provider_id: nullable(Type.String()), name: nullable(Type.String()) }, { title: 'MatchMarker' })),
    interpretation: optional(openEnum(interpretations)),
    result_status: optional(openEnum(['final', 'partial'])),
    note: optional(Type.String()),
    ...resolution,
    allowed_actions: Type.Array(openEnum(actions)),
    candidate_groups: Type.Array(
      Type.Object({ user_id: nullable(Uuid), candidates: Type.Array(Candidate) }, { title: 'MatchCandidateGroup' }),
    ),
    is_stale: Type.Boolean({ description: 'In review for more than seven days.' }),
    created_at: DateTime,
    updated_at: DateTime,
    reviewed_at: optional(DateTime),
  },
  { title: 'UnmatchedResult' },
);

export const UnmatchedResultsPage = Type.Object(
  { data: Type.Array(UnmatchedResult), next_cursor: nullable(Type.String()), total: Type.Integer() },
  { title: 'UnmatchedResultsPage' },
);

/** GET /v3/unmatched_result. */
export const UnmatchedResultsQuery = Type.Object(
  {
    limit: Type.Integer({ minimum: 1, maximum: 100, default: 50 }),
    next_cursor: Type.Optional(Type.String()),
    decision_code: Type.Optional(closedEnum(decisionCodes)),
    lab_slug: Type.Optional(Type.String({ maxLength: 50 })),
    status: Type.Optional(closedEnum(reviewStatuses)),
    created_at_start: Type.Optional(Type.String({ format: 'date', description: 'First day.' })),
    created_at_end: Type.Optional(Type.String({ format: 'date', description: 'Last day.' })),
    search_input: Type.Optional(Type.String({ maxLength: 200, description: 'Id, or beginnings of the words of the name of the patient.' })),
  },
  { title: 'UnmatchedResultsQuery' },
);

export const UnmatchedResultParams = Type.Object({ raw_result_id: Uuid }, { title: 'UnmatchedResultParams' });

const note = optionalInput(Type.String({ maxLength: 1000 }));

/** POST /v3/unmatched_result/{raw_result_id}/accept. */
export const AcceptResultBody = Type.Object({ user_id: Uuid, order_id: Uuid, note }, { title: 'AcceptResultBody' });
/** POST /v3/unmatched_result/{raw_result_id}/resolve. */
export const ResolveResultBody = Type.Object({ action: closedEnum(['reject', 'unsure']), note }, { title: 'ResolveResultBody' });
