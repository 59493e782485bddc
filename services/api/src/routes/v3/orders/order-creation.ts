import { CreateOrderBody, IdempotencyHeaders, OrderCreatedBody, type ValidationError, ImportOrderBody } from '@pulsewire/contract';
import { withEvents } from '@pulsewire/eventlog';
import { AppError } from '@pulsewire/kernel';
import { createOrder, ensureSandboxTests, type NewOrder } from '@pulsewire/labs';
import type { Static } from 'typebox';
import { defineRoute, type Route } from '../../../route/route.ts';
import { completeWith, runOnce } from './run-once.ts';
import { readOrderSet } from '../../../validate/read-order-set.ts';
import { fieldError } from '../../../validate/validate-request.ts';

type Body = Static<typeof CreateOrderBody>;

function setOf(body: Body): NewOrder['set'] {
  if (body.order_set) return readOrderSet(body.order_set);
  if (body.lab_test_id) return { labTestIds: [body.lab_test_id], addOn: null };
  throw new AppError({ code: 'order_set_missing', kind: 'invalid', message: 'order_set or lab_test_id must be given' });
}

function newOrder(body: Body): NewOrder {
  return {
    userId: body.user_id,
    set: setOf(body),
    method: body.collection_method ?? null,
    patient: body.patient_details,
    address: body.patient_address,
    labAccountId: body.lab_account_id ?? null,
    billingType: body.billing_type,
    priority: body.priority,
    activateBy: body.activate_by ?? null,
    parentOrderId: body.parent_order_id ?? null,
    updateReason: body.update_reason ?? null,
    imported: null,
    healthInsurance: body.health_insurance ?? null,
    secrets: {
      physician: body.physician ?? null,
      clinicalNotes: body.clinical_notes ?? null,
      passthrough: body.passthrough ?? null,
      icdCodes: body.icd_codes ?? null,
      answers: (body.aoe_answers ?? []).map((answer) => ({
        markerId: answer.marker_id,
        questionId: answer.question_id,
        answer: answer.answer,
      })),
      consents: body.consents ?? [],
      creatorMemberId: body.creator_member_id ?? null,
    },
  };
}

function bothSets({ order_set: set, lab_test_id: testId }: Body): ValidationError[] {
  return set && testId ? [fieldError(['body', 'lab_test_id'], 'Must not be given beside order_set', testId)] : [];
}

/** The same operation under its two paths; they share idempotency keys. */
function createOrderAt(path: string, operationId: string): Route {
  return defineRoute({
    method: 'POST',
    path,
    operationId,
    area: 'lab orders',
    auth: 'key',
    summary: 'Create an order',
    headers: IdempotencyHeaders,
    body: CreateOrderBody,
    responses: { 200: { description: 'The order.', schema: OrderCreatedBody } },
    failures: [400, 404, 409],
    refine: ({ body }) => bothSets(body),
    async handler(context, { body, headers }) {
      const { labs, team } = context;
      await ensureSandboxTests(labs, team);
      return runOnce(context, { endpoint: 'order', headers, body }, (claim) =>
        withEvents(labs.database, async (tx, emit) => {
          const order = await createOrder(tx, emit, labs, team, newOrder(body));
          return completeWith(tx, labs, claim, order, 'The order was created');
        }),
      );
    },
  });
}

export const createOrderRoutes: readonly Route[] = [
  createOrderAt('/v3/order', 'createOrder'),
  createOrderAt('/v3/order/create', 'createOrderAlias'),
];

function importedOrder(body: Static<typeof ImportOrderBody>): NewOrder {
  return {
    userId: body.user_id,
    set: readOrderSet(body.order_set),
    method: body.collection_method,
    patient: body.patient_details,
    address: body.patient_address,
    labAccountId: body.lab_account_id ?? null,
    billingType: body.billing_type,
    priority: false,
    activateBy: null,
    parentOrderId: null,
    updateReason: null,
    imported: { sampleId: body.sample_id },
    healthInsurance: null,
    secrets: {
      physician: body.physician ?? null,
      clinicalNotes: null,
      passthrough: null,
      icdCodes: null,
      answers: [],
      consents: [],
      creatorMemberId: null,
    },
  };
}

export const importOrderRoute = defineRoute({
  method: 'POST',
  path: '/v3/order/import',
  operationId: 'importOrder',
  area: 'lab orders',
  auth: 'key',
  summary: 'Import an order that the lab already has',
  description: 'Its results arrive like those of other orders. It has no requisition, and the lab account may be pending.',
  headers: IdempotencyHeaders,
  body: ImportOrderBody,
  responses: { 200: { description: 'The order.', schema: OrderCreatedBody } },
  failures: [400, 404, 409],
  async handler(context, { body, headers }) {
    const { labs, team } = context;
    await ensureSandboxTests(labs, team);
    return runOnce(context, { endpoint: 'order_import', headers, body }, (claim) =>
      withEvents(labs.database, async (tx, emit) => {
        const order = await createOrder(tx, emit, labs, team, importedOrder(body));
        return completeWith(tx, labs, claim, order, 'The order was imported');
      }),
    );
  },
});
