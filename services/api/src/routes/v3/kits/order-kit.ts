import { withEvents } from '@pulsewire/eventlog';
import { IdempotencyHeaders, OrderCreatedBody, OrderKitBody } from '@pulsewire/contract';
import { ensureSandboxTests, orderKit } from '@pulsewire/labs';
import { defineRoute } from '../../../route/route.ts';
import { completeWith } from '../orders/complete-with.ts';
import { runOnce } from '../orders/run-once.ts';

export const orderKitRoute = defineRoute({
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
