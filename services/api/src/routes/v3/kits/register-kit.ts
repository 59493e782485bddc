import { withEvents } from '@pulsewire/eventlog';
import { OrderCreatedBody, RegisterKitBody } from '@pulsewire/contract';
import { registerKit } from '@pulsewire/labs';
import { defineRoute } from '../../../route/route.ts';
import { completeWith } from '../orders/complete-with.ts';

export const registerKitRoute = defineRoute({
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
