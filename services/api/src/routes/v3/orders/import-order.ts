import type { Static } from 'typebox';
import { withEvents } from '@pulsewire/eventlog';
import { IdempotencyHeaders, ImportOrderBody, OrderCreatedBody } from '@pulsewire/contract';
import { createOrder, ensureSandboxTests, type NewOrder } from '@pulsewire/labs';
import { defineRoute } from '../../../route/route.ts';
import { readOrderSet } from '../../../validate/read-order-set.ts';
import { completeWith } from './complete-with.ts';
import { runOnce } from './run-once.ts';

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
