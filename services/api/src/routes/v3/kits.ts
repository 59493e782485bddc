import { IdempotencyHeaders, OrderCreatedBody, OrderKitBody, RegisterKitBody } from '@pulsewire/contract';
import { withEvents } from '@pulsewire/eventlog';
import { ensureSandboxTests, orderKit, registerKit } from '@pulsewire/labs';
import { defineRoute, type Route } from '../../route/route.ts';
import { completeWith, runOnce } from './orders/run-once.ts';

const orderKitRoute = defineRoute({
  method: 'POST',
  path: '/v3/order/testkit',
  operationId: 'orderTestKit',
  area: 'lab orders',
  auth: 'key',
  summary: 'Order a test kit that is registered to a patient later',
  headers: IdempotencyHeaders,
  body: OrderKitBody,
  responses: { 200: { description: 'The order, which awaits registration.', schema: OrderCreatedBody } },
  failures: [400, 404, 409],
  async handler(context, { body, headers }) {
    const { labs, team } = context;
    const kit = {
      userId: body.user_id,
      labTestId: body.lab_test_id,
      shipping: { ...body.shipping_details, second_line: body.shipping_details.second_line ?? null },
      passthrough: body.passthrough ?? null,
      labAccountId: body.lab_account_id ?? null,
    };
    await ensureSandboxTests(labs, team);
    return runOnce(context, { endpoint: 'order_testkit', headers, body }, (claim) =>
      withEvents(labs.database, async (tx, emit) => {
        const order = await orderKit(tx, emit, labs, team, kit);
        return completeWith(tx, labs, claim, order, 'The test kit was ordered');
      }),
    );
  },
});

const registerKitRoute = defineRoute({
  method: 'POST',
  path: '/v3/order/testkit/register',
  operationId: 'registerTestKit',
  area: 'lab orders',
  auth: 'key',
  summary: 'Register a test kit to a patient',
  body: RegisterKitBody,
  responses: { 200: { description: 'The order of the kit.', schema: OrderCreatedBody } },
  failures: [400, 404],
  async handler({ labs, team }, { body }) {
    const kit = {
      userId: body.user_id ?? null,
      sampleId: body.sample_id,
      patient: body.patient_details,
      address: body.patient_address,
      physician: body.physician ?? null,
      healthInsurance: body.health_insurance ?? null,
      consents: body.consents ?? [],
    };
    return withEvents(labs.database, async (tx, emit) => {
      const order = await registerKit(tx, emit, labs, team, kit);
      return completeWith(tx, labs, null, order, 'The test kit was registered');
    });
  },
});

export const kitRoutes: readonly Route[] = [orderKitRoute, registerKitRoute];
