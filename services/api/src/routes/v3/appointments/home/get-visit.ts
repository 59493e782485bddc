import { Appointment, OrderParams } from '@pulsewire/contract';
import { getActiveAppointment, renderAppointment } from '@pulsewire/labs';
import { defineRoute, ok } from '../../../../route/route.ts';

export const getVisitRoute = defineRoute({
  method: 'GET',
  path: '/v3/order/{order_id}/phlebotomy/appointment',
  operationId: 'getHomeAppointment',
  area: 'lab appointments',
  auth: 'key',
  summary: 'Read the active at-home appointment of an order',
  params: OrderParams,
  responses: { 200: { description: 'The appointment.', schema: Appointment } },
  failures: [404],
  async handler({ labs, team }, { params }) {
    const of = { teamId: team.teamId, orderId: params.order_id, type: 'phlebotomy' } as const;
    const view = await getActiveAppointment(labs.database, labs, of);
    return ok(renderAppointment(view), { userId: view.userId });
  },
});
