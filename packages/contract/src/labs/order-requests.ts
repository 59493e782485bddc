import { Type } from 'typebox';
import { closedEnum, DateOnly, DateTime, optionalInput, Uuid } from '../fields/fields.ts';
import { orderSetFields } from './catalogue-requests.ts';
import { billingTypes, collectionMethods, interpretations, resultTypes } from './enums.ts';
import {
  ImportedAddressInput,
  KitPhysicianInput,
  OrderInsuranceInput,
  PatientAddressInput,
  PatientInput,
  PhysicianInput,
  ShippingAddressInput,
} from './people.ts';

const consentTypes = [
  'terms-of-use',
  'telehealth-informed-consent',
  'mobile-terms-and-conditions',
  'notice-of-privacy-practices',
  'privacy-policy',
  'hipaa-authorization',
] as const;
const Consent = Type.Object(
  {
    consentType: closedEnum(consentTypes),
    version: Type.String({ default: '1.0', maxLength: 50 }),
    timeOfConsent: optionalInput(DateTime),
  },
  { title: 'Consent' },
);
const AoeAnswer = Type.Object(
  {
    marker_id: Type.Integer({ minimum: 0, maximum: 2_147_483_647 }),
    question_id: Type.Integer({ minimum: 0 }),
    answer: Type.String({ maxLength: 1000, format: 'trimmed' }),
  },
  { title: 'AoeAnswer' },
);

/** What to order. */
const OrderSetRequest = Type.Object(orderSetFields, { title: 'OrderSetRequest' });

/** POST /v3/order. */
export const CreateOrderBody = Type.Object(
  {
    user_id: Uuid,
    lab_test_id: optionalInput(Uuid, { deprecated: true }),
    order_set: Type.Optional(Type.Union([OrderSetRequest, Type.Null()])),
    collection_method: optionalInput(closedEnum(collectionMethods)),
    physician: Type.Optional(Type.Union([PhysicianInput, Type.Null()])),
    health_insurance: Type.Optional(Type.Union([OrderInsuranceInput, Type.Null()], { deprecated: true })),
    priority: Type.Boolean({ default: false }),
    billing_type: closedEnum(billingTypes, { default: 'client_bill' }),
    icd_codes: optionalInput(Type.Array(Type.String({ minLength: 1, maxLength: 20 }), { maxItems: 50 })),
    consents: Type.Optional(Type.Array(Consent, { maxItems: 20 })),
    activate_by: optionalInput(DateOnly),
    aoe_answers: optionalInput(Type.Array(AoeAnswer, { maxItems: 500 })),
    passthrough: optionalInput(Type.String({ maxLength: 10_000 })),
    clinical_notes: optionalInput(Type.String({ maxLength: 1000 })),
    lab_account_id: optionalInput(Uuid),
    creator_member_id: optionalInput(Uuid),
    parent_order_id: optionalInput(Uuid, { description: 'The order that this one replaces; it joins its transaction.' }),
    update_reason: optionalInput(Type.String({ maxLength: 100, description: 'INCORRECT_LAB: a fresh lab account is resolved.' })),
    patient_details: PatientInput,
    patient_address: PatientAddressInput,
  },
  { title: 'CreateOrderBody' },
);

/** Headers of idempotent requests. */
export const IdempotencyHeaders = Type.Object(
  {
    'x-idempotency-key': Type.Optional(Type.String({ minLength: 1, maxLength: 255 })),
    'x-idempotency-error': Type.Optional(closedEnum(['no-cache'], { description: 'Keeps no failed outcome.' })),
  },
  { title: 'IdempotencyHeaders' },
);

export const OrderParams = Type.Object({ order_id: Uuid }, { title: 'OrderParams' });
export const TransactionParams = Type.Object({ transaction_id: Uuid }, { title: 'TransactionParams' });

/** PATCH /v3/order/{order_id}. */
export const UpdateOrderBody = Type.Object(
  {
    activate_by: Type.Unsafe<string | null>({
      type: ['string', 'null'],
      format: 'date',
      description: 'null dispatches the order at once.',
    }),
  },
  { title: 'UpdateOrderBody' },
);

/** GET /v3/orders. */
export const OrdersQuery = Type.Object(
  {
    search_input: Type.Optional(Type.String({ maxLength: 200 })),
    start_date: Type.Optional(Type.String({ format: 'date-or-date-time', description: 'First day.' })),
    end_date: Type.Optional(Type.String({ format: 'date-or-date-time', description: 'Last day.' })),
    updated_start_date: Type.Optional(Type.String({ format: 'date-or-date-time' })),
    updated_end_date: Type.Optional(Type.String({ format: 'date-or-date-time' })),
    status: Type.Optional(
      Type.Array(Type.String({ maxLength: 50 }), { maxItems: 50, description: 'The last parts of statuses, or whole statuses.' }),
    ),
    order_key: Type.Optional(closedEnum(['created_at', 'patient_name', 'last_status'])),
    order_direction: Type.Optional(closedEnum(['asc', 'desc'])),
    order_type: Type.Optional(Type.Array(closedEnum(collectionMethods))),
    is_critical: Type.Optional(Type.Boolean()),
    interpretation: Type.Optional(closedEnum(interpretations)),
    order_activation_types: Type.Optional(Type.Array(closedEnum(['current', 'scheduled']))),
    user_id: Type.Optional(Uuid),
    patient_name: Type.Optional(Type.String({ maxLength: 200 })),
    shipping_recipient_name: Type.Optional(Type.String({ maxLength: 200 })),
    order_ids: Type.Optional(Type.Array(Uuid, { maxItems: 500 })),
    order_transaction_id: Type.Optional(Uuid),
    page: Type.Integer({ minimum: 1, maximum: 1_000_000, default: 1 }),
    size: Type.Integer({ minimum: 1, maximum: 100, default: 50 }),
  },
  { title: 'OrdersQuery' },
);

/** POST /v3/order/resend_events: at least one of order_ids and start_at. */
export const ResendEventsBody = Type.Object(
  {
    order_ids: optionalInput(Type.Array(Uuid, { maxItems: 500 })),
    start_at: optionalInput(DateTime),
    end_at: optionalInput(DateTime),
  },
  { title: 'ResendEventsBody' },
);

/** POST /v3/order/{order_id}/test. */
export const SimulationQuery = Type.Object(
  {
    final_status: Type.Optional(Type.String({ maxLength: 100, description: 'A whole status of the order.' })),
    delay: Type.Optional(Type.Integer({ minimum: 0, maximum: 3600, description: 'Seconds.' })),
  },
  { title: 'SimulationQuery' },
);
export const SimulationBody = Type.Object(
  {
    interpretation: closedEnum(interpretations, { default: 'normal' }),
    result_types: optionalInput(Type.Array(closedEnum(resultTypes), { minItems: 1, maxItems: 10 })),
    has_missing_results: optionalInput(Type.Boolean()),
  },
  { title: 'SimulationBody' },
);

/** GET /v3/order/{order_id}/labels/pdf. */
export const LabelsQuery = Type.Object(
  {
    collection_date: Type.String({ format: 'date-or-date-time' }),
    number_of_labels: Type.Integer({ minimum: 1, maximum: 100, default: 3 }),
  },
  { title: 'LabelsQuery' },
);

const SampleId = Type.String({ minLength: 1, maxLength: 100, format: 'trimmed' });
const passthrough = optionalInput(Type.String({ maxLength: 10_000 }));

/** POST /v3/order/import. */
export const ImportOrderBody = Type.Object(
  {
    user_id: Uuid,
    billing_type: closedEnum(billingTypes),
    order_set: OrderSetRequest,
    collection_method: closedEnum(collectionMethods),
    physician: Type.Optional(Type.Union([PhysicianInput, Type.Null()])),
    patient_details: PatientInput,
    patient_address: ImportedAddressInput,
    sample_id: Type.String({ ...SampleId, description: 'Of the requisition at the lab.' }),
    lab_account_id: optionalInput(Uuid, { description: 'May be pending.' }),
  },
  { title: 'ImportOrderBody' },
);

/** POST /v3/order/testkit. */
export const OrderKitBody = Type.Object(
  {
    user_id: Uuid,
    lab_test_id: Uuid,
    shipping_details: ShippingAddressInput,
    passthrough,
    lab_account_id: optionalInput(Uuid),
  },
  { title: 'OrderKitBody' },
);

/** POST /v3/order/testkit/register. */
export const RegisterKitBody = Type.Object(
  {
    user_id: optionalInput(Uuid, { description: 'Whose the kit is from now on.' }),
    sample_id: Type.String({ ...SampleId, description: 'As printed on the kit.' }),
    patient_details: PatientInput,
    patient_address: PatientAddressInput,
    physician: Type.Optional(Type.Union([KitPhysicianInput, Type.Null()])),
    health_insurance: Type.Optional(Type.Union([OrderInsuranceInput, Type.Null()], { deprecated: true })),
    consents: Type.Optional(Type.Array(Consent, { maxItems: 20 })),
  },
  { title: 'RegisterKitBody' },
);

export const CommunicationSettings = Type.Object({ order_id: Uuid, sms_enabled: Type.Boolean() }, { title: 'CommunicationSettings' });
/** PATCH /v3/order/{order_id}/communication_settings. */
export const CommunicationSettingsBody = Type.Object({ sms_enabled: Type.Boolean() }, { title: 'CommunicationSettingsBody' });
