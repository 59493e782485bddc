import type { CollectionMethod } from './catalogue.ts';

/** The last parts of statuses. */
export const lowStatuses = [
  'ordered',
  'requisition_created',
  'requisition_bypassed',
  'awaiting_registration',
  'registered',
  'appointment_pending',
  'appointment_scheduled',
  'appointment_cancelled',
  'redraw_available',
  'draw_completed',
  'transit_customer',
  'out_for_delivery',
  'with_customer',
  'transit_lab',
  'problem_in_transit_customer',
  'problem_in_transit_lab',
  'partial_results',
  'delivered_to_lab',
  'lab_processing_blocked',
  'completed',
  'corrected',
  'sample_error',
  'failure_to_deliver_to_customer',
  'failure_to_deliver_to_lab',
  'lost',
  'cancelled',
  'do_not_process',
] as const;

export type LowStatus = (typeof lowStatuses)[number];
export type HighStatus = 'received' | 'collecting_sample' | 'sample_with_lab' | 'completed' | 'failed' | 'cancelled';

/** A full status, such as `received.testkit.ordered`. */
export type OrderStatus = `${HighStatus}.${CollectionMethod}.${LowStatus}`;
