import { highLevel, isFinal, lowLevel } from '../orders/statuses/status.ts';
import type { LowStatus, OrderStatus } from '../model/order-status-words.ts';

/** An order that a report may belong to. */
export interface Candidate {
  readonly orderId: string;
  readonly userId: string;
  readonly transactionId: string;
  /** Full status. */
  readonly status: OrderStatus;
  readonly isSameLab: boolean;
  readonly isSameSample: boolean;
  /** Name and birth date match; of a report without a patient: the lab names this order. */
  readonly isSamePatient: boolean;
  readonly overlap: 'exact' | 'partial' | 'none';
}

export type DecisionCode =
  | 'match_sample_id'
  | 'match_completed'
  | 'match_cancelled'
  | 'wrong_collection'
  | 'wrong_lab'
  | 'multiple_demo_match'
  | 'match_sample_id_mismatch_demo'
  | 'match_demo'
  | 'no_match';

export interface Decision {
  readonly code: DecisionCode;
  /** The order that receives the report without review. */
  readonly order: Candidate | null;
}

const withoutSample = new Set<LowStatus>(['ordered', 'awaiting_registration', 'registered']);

function decideBySample(order: Candidate, isCorrection: boolean): Decision {
  const { status } = order;
  const review = (code: DecisionCode): Decision => ({ code, order: null });
  if (!order.isSamePatient) return review('match_sample_id_mismatch_demo');
  if (highLevel(status) === 'cancelled') return review('match_cancelled');
  if (isFinal(status) && !(isCorrection && highLevel(status) === 'completed')) return review('match_completed');
  if (withoutSample.has(lowLevel(status))) return review('wrong_collection');
  return { code: 'match_sample_id', order };
}

/**
 * The order of a report's sample: the one that the lab means, else the only one, else the only one of its patient. A team may have the same
 * sample number at several accounts of a lab.
 */
export function orderOfSample(candidates: readonly Candidate[], orderId: string | undefined): Candidate | undefined {
  const ofSample = candidates.filter(({ isSameSample }) => isSameSample);
  const meant = ofSample.find((order) => order.orderId === orderId);
  if (meant || ofSample.length <= 1) return meant ?? ofSample[0];
  const [ofPatient, ...others] = ofSample.filter(({ isSamePatient }) => isSamePatient);
  return others.length === 0 ? ofPatient : undefined;
}

/** Decides how to handle a report. Only a sample of the right patient, in an order that awaits it, is matched without review. */
export function decide(candidates: readonly Candidate[], isCorrection: boolean, orderId?: string): Decision {
  const sample = orderOfSample(candidates, orderId);
  if (sample) return decideBySample(sample, isCorrection);
  const same = candidates.filter(({ isSamePatient }) => isSamePatient);
  const atLab = same.filter(({ isSameLab }) => isSameLab);
  if (atLab.length > 1) return { code: 'multiple_demo_match', order: null };
  if (atLab.length === 1) return { code: 'match_demo', order: null };
  return { code: same.length > 0 ? 'wrong_lab' : 'no_match', order: null };
}
