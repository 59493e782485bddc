import { Type } from 'typebox';
import { DateOnly, DateTime, nullable, openEnum, optional, Uuid } from '../fields/fields.ts';
import { billingTypes, collectionMethods, interpretations } from './enums.ts';
import { LabTest } from './catalogue.ts';
import { PatientAddress, PatientDetails } from './people.ts';

const origins = ['initial', 'redraw', 'recreation'];
const OrderEvent = Type.Object(
  {
    id: Type.Integer({ description: 'Increases.' }),
    created_at: DateTime,
    status: Type.String({ description: 'High-level status, collection method and low-level status, joined by dots.' }),
    status_detail: nullable(Type.String(), {
      description:
        'Why the order has this status: fulfillment_error (cancelled because a lab or partner could not carry it out); of ' +
        'lab_processing_blocked: date_of_collection_unspecified, demographic_information_unspecified, demographic_information_mismatch; of ' +
        'sample_error: sample_quantity_not_sufficient, sample_contaminated, sample_stability_exceeded, sample_hemolyzed, ' +
        'sample_improper_collection.',
    }),
  },
  { title: 'OrderEvent' },
);

const Shipment = Type.Object(
  {
    id: Uuid,
    outbound_tracking_number: nullable(Type.String()),
    outbound_tracking_url: nullable(Type.String()),
    inbound_tracking_number: nullable(Type.String()),
    inbound_tracking_url: nullable(Type.String()),
    outbound_courier: nullable(Type.String()),
    inbound_courier: nullable(Type.String()),
    notes: nullable(Type.String()),
  },
  { title: 'Shipment' },
);

const OrderDetails = Type.Object(
  {
    type: openEnum(collectionMethods),
    data: nullable(
      Type.Object(
        {
          id: Uuid,
          shipment: Type.Optional(nullable(Shipment)),
          appointment_id: Type.Optional(nullable(Uuid)),
          created_at: DateTime,
          updated_at: DateTime,
        },
        { title: 'OrderDetailsData', description: 'shipment: of test kits; appointment_id: of walk-in and at-home orders.' },
      ),
    ),
  },
  { title: 'OrderDetails' },
);

const ShippingAddress = Type.Object(
  {
    receiver_name: Type.String(),
    first_line: Type.String(),
    second_line: optional(Type.String()),
    city: Type.String(),
    state: Type.String(),
    zip: Type.String(),
    country: Type.String(),
    phone_number: Type.String(),
  },
  { title: 'ShippingAddress' },
);

const OrderInTransaction = Type.Object(
  {
    id: Uuid,
    low_level_status: optional(Type.String()),
    low_level_status_created_at: optional(DateTime),
    origin: optional(openEnum(origins)),
    parent_id: optional(Uuid),
    created_at: DateTime,
    updated_at: DateTime,
  },
  { title: 'OrderInTransaction' },
);
const transactionStatus = openEnum(['active', 'completed', 'cancelled']);
export const OrderTransaction = Type.Object(
  { id: Uuid, status: transactionStatus, orders: Type.Array(OrderInTransaction) },
  { title: 'OrderTransaction' },
);

/** An order, and `data` of its events. */
export const Order = Type.Object(
  {
    user_id: Uuid,
    id: Uuid,
    team_id: Uuid,
    patient_details: nullable(PatientDetails),
    patient_address: nullable(PatientAddress),
    lab_test: LabTest,
    details: OrderDetails,
    sample_id: nullable(Type.String()),
    notes: nullable(Type.String()),
    clinical_notes: optional(Type.String()),
    created_at: DateTime,
    updated_at: DateTime,
    events: Type.Array(OrderEvent, { description: 'Oldest first.' }),
    status: optional(openEnum(['received', 'collecting_sample', 'sample_with_lab', 'completed', 'cancelled', 'failed']), {
      deprecated: true,
    }),
    last_event: OrderEvent,
    physician: optional(Type.Object({ first_name: Type.String(), last_name: Type.String(), npi: Type.String() }, { title: 'Physician' })),
    health_insurance_id: nullable(Uuid),
    requisition_form_url: nullable(Type.String(), { deprecated: true }),
    priority: Type.Boolean(),
    shipping_details: nullable(ShippingAddress),
    activate_by: optional(DateOnly),
    passthrough: optional(Type.String()),
    billing_type: openEnum(billingTypes),
    icd_codes: optional(Type.Array(Type.String())),
    has_abn: Type.Boolean(),
    interpretation: optional(openEnum(interpretations)),
    has_missing_results: optional(Type.Boolean()),
    expected_result_by_date: optional(DateOnly),
    worst_case_result_by_date: optional(DateOnly),
    origin: optional(openEnum(origins)),
    order_transaction: optional(OrderTransaction),
  },
  { title: 'Order' },
);

export const OrderCreatedBody = Type.Object({ order: Order, status: Type.String(), message: Type.String() }, { title: 'OrderCreatedBody' });

export const OrdersPage = Type.Object(
  {
    orders: Type.Array(Order),
    total: nullable(Type.Integer(), { description: 'Null when more than 10,000 orders match.' }),
    page: Type.Integer(),
    size: Type.Integer(),
  },
  { title: 'OrdersPage' },
);

const OrderSummary = Type.Object(
  {
    id: Uuid,
    origin: optional(openEnum(origins)),
    parent_id: optional(Uuid),
    last_status: Type.String(),
    last_status_created_at: DateTime,
    updated_at: DateTime,
    created_at: DateTime,
  },
  { title: 'OrderSummary' },
);
export const OrderTransactionBody = Type.Object(
  { id: Uuid, team_id: Uuid, status: transactionStatus, orders: Type.Array(OrderSummary) },
  { title: 'OrderTransactionBody' },
);
export const ResentBody = Type.Object({ order_ids: Type.Array(Uuid) }, { title: 'ResentBody' });
