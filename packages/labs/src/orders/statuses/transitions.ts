import type { CollectionMethod } from '../../model/catalogue.ts';
import type { HighStatus, LowStatus } from '../../model/order-status-words.ts';

/** Low-level statuses by the high-level status that they belong to. */
type Levels = Readonly<Partial<Record<HighStatus, readonly LowStatus[]>>>;
/** The low-level statuses that may follow each low-level status. */
type Edges = Readonly<Partial<Record<LowStatus, readonly LowStatus[]>>>;

interface Machine {
  readonly levels: Levels;
  readonly edges: Edges;
  /** The first statuses of a new or imported order. */
  readonly starts: readonly LowStatus[];
  /** The statuses of an order when nothing fails. */
  readonly successPath: readonly LowStatus[];
}

const common = {
  received: ['ordered', 'requisition_created', 'requisition_bypassed'],
  completed: ['completed', 'corrected'],
  failed: ['sample_error'],
  cancelled: ['cancelled'],
} as const;

const appointments = ['appointment_pending', 'appointment_scheduled', 'appointment_cancelled'] as const;
const afterWalkInRequisition = [
  'appointment_pending',
  'partial_results',
  'cancelled',
  'completed',
  'sample_error',
  'redraw_available',
] as const;

const walkIn: Machine = {
  levels: {
    ...common,
    collecting_sample: [...appointments, 'redraw_available'],
    sample_with_lab: ['partial_results'],
  },
  starts: ['ordered', 'requisition_bypassed'],
  successPath: ['ordered', 'requisition_created', 'completed'],
  edges: {
    ordered: ['requisition_created', 'cancelled'],
    requisition_created: afterWalkInRequisition,
    requisition_bypassed: afterWalkInRequisition,
    appointment_pending: ['appointment_scheduled', 'appointment_cancelled', 'cancelled'],
    appointment_scheduled: [
      'appointment_pending',
      'appointment_scheduled',
      'appointment_cancelled',
      'partial_results',
      'completed',
      'cancelled',
      'sample_error',
      'redraw_available',
    ],
    appointment_cancelled: ['appointment_pending', 'cancelled', 'partial_results', 'completed'],
    partial_results: ['partial_results', 'completed', 'sample_error', 'redraw_available'],
    completed: ['corrected'],
    corrected: ['corrected'],
  },
};

const atHome: Machine = {
  levels: { ...common, collecting_sample: [...appointments, 'draw_completed'], sample_with_lab: ['partial_results'] },
  starts: ['ordered', 'requisition_bypassed'],
  successPath: ['ordered', 'requisition_created', 'appointment_pending', 'appointment_scheduled', 'draw_completed', 'completed'],
  edges: {
    ordered: ['requisition_created', 'cancelled'],
    requisition_created: ['appointment_pending', 'cancelled'],
    requisition_bypassed: ['appointment_pending', 'cancelled'],
    appointment_pending: ['appointment_scheduled', 'appointment_cancelled', 'cancelled'],
    appointment_scheduled: ['appointment_scheduled', 'appointment_cancelled', 'draw_completed', 'cancelled'],
    appointment_cancelled: ['appointment_pending', 'appointment_scheduled', 'cancelled'],
    draw_completed: ['partial_results', 'completed', 'cancelled', 'sample_error'],
    partial_results: ['partial_results', 'completed', 'sample_error'],
    completed: ['corrected'],
    corrected: ['corrected'],
  },
};

const inTransit: Edges = {
  transit_customer: ['out_for_delivery', 'failure_to_deliver_to_customer', 'with_customer', 'problem_in_transit_customer', 'lost'],
  out_for_delivery: ['with_customer', 'failure_to_deliver_to_customer', 'problem_in_transit_customer'],
  problem_in_transit_customer: ['transit_customer', 'out_for_delivery', 'with_customer', 'failure_to_deliver_to_customer', 'lost'],
  transit_lab: ['delivered_to_lab', 'failure_to_deliver_to_lab', 'problem_in_transit_lab', 'lost'],
  problem_in_transit_lab: ['transit_lab', 'delivered_to_lab', 'failure_to_deliver_to_lab', 'lost'],
  delivered_to_lab: ['completed', 'sample_error', 'lab_processing_blocked'],
  lab_processing_blocked: ['delivered_to_lab', 'completed', 'sample_error'],
  completed: ['corrected'],
  corrected: ['corrected'],
};

const kitLevels: Levels = {
  ...common,
  received: [...common.received, 'awaiting_registration', 'registered'],
  collecting_sample: [
    'transit_customer',
    'out_for_delivery',
    'with_customer',
    'transit_lab',
    'problem_in_transit_customer',
    'problem_in_transit_lab',
  ],
  sample_with_lab: ['delivered_to_lab', 'lab_processing_blocked'],
  failed: ['failure_to_deliver_to_customer', 'failure_to_deliver_to_lab', 'sample_error', 'lost'],
  cancelled: ['cancelled', 'do_not_process'],
};

/** An operator may stop any kit that is not in a final status. */
function stoppable(edges: Edges): Edges {
  const isEnd = (status: string) => status === 'completed' || status === 'corrected';
  return Object.fromEntries(Object.entries(edges).map(([from, to]) => [from, isEnd(from) ? to : [...to, 'do_not_process']]));
}

const kit: Machine = {
  levels: kitLevels,
  starts: ['ordered', 'requisition_bypassed'],
  successPath: [
    'ordered',
    'requisition_created',
    'transit_customer',
    'out_for_delivery',
    'with_customer',
    'transit_lab',
    'delivered_to_lab',
    'completed',
  ],
  edges: stoppable({
    ...inTransit,
    ordered: ['requisition_created', 'cancelled'],
    requisition_created: ['transit_customer', 'cancelled'],
    requisition_bypassed: ['transit_customer', 'cancelled'],
    with_customer: ['transit_lab'],
  }),
};

/** A kit that is ordered without a patient and registered later. */
const registrableKit: Machine = {
  levels: kitLevels,
  starts: ['ordered'],
  successPath: [
    'ordered',
    'awaiting_registration',
    'transit_customer',
    'out_for_delivery',
    'with_customer',
    'registered',
    'requisition_created',
    'transit_lab',
    'delivered_to_lab',
    'completed',
  ],
  edges: stoppable({
    ...inTransit,
    ordered: ['awaiting_registration', 'cancelled'],
    awaiting_registration: ['transit_customer', 'registered', 'cancelled'],
    with_customer: ['registered'],
    registered: ['requisition_created', 'cancelled'],
    requisition_created: ['transit_lab'],
  }),
};

const onSite: Machine = {
  levels: { ...common, sample_with_lab: ['draw_completed', 'partial_results'] },
  starts: ['ordered', 'requisition_bypassed'],
  successPath: ['ordered', 'requisition_created', 'draw_completed', 'completed'],
  edges: {
    ordered: ['requisition_created', 'cancelled'],
    requisition_created: ['draw_completed', 'cancelled'],
    requisition_bypassed: ['draw_completed', 'cancelled'],
    draw_completed: ['partial_results', 'completed', 'cancelled', 'sample_error'],
    partial_results: ['partial_results', 'completed'],
    completed: ['corrected'],
    corrected: ['corrected'],
  },
};

const machines: Readonly<Record<CollectionMethod, Machine>> = {
  walk_in_test: walkIn,
  at_home_phlebotomy: atHome,
  testkit: kit,
  on_site_collection: onSite,
};

/** The state machine of an order. */
export function machineOf(method: CollectionMethod, isRegistrable: boolean): Machine {
  return isRegistrable ? registrableKit : machines[method];
}

/** Why an order is in a status. */
export type StatusDetail =
  | 'fulfillment_error'
  | 'date_of_collection_unspecified'
  | 'demographic_information_unspecified'
  | 'demographic_information_mismatch'
  | 'sample_quantity_not_sufficient'
  | 'sample_contaminated'
  | 'sample_stability_exceeded'
  | 'sample_hemolyzed'
  | 'sample_improper_collection';
