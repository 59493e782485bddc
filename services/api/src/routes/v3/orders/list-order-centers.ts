import { CenterInfoBody, OrderCenterQuery, OrderParams } from '@pulsewire/contract';
import { getOrder, readCenters } from '@pulsewire/labs';
import { AppError } from '@pulsewire/kernel';
import { renderCenters } from '../../../render/labs/areas.ts';
import { defineRoute, ok } from '../../../route/route.ts';

export const listOrderCentersRoute = defineRoute({
  method: 'GET',
  path: '/v3/order/{order_id}/psc/info',
  operationId: 'listOrderServiceCenters',
  area: 'lab orders',
  auth: 'key',
  summary: 'Find the service centers for an order',
  params: OrderParams,
  query: OrderCenterQuery,
  responses: { 200: { description: 'The nearest centers of the lab of the order.', schema: CenterInfoBody } },
  failures: [404],
  async handler({ labs, team }, { params, query }) {
    const { order, secrets } = await getOrder(labs.database, labs, team.teamId, params.order_id);
    const zip = secrets.address?.['zip'];
    if (typeof zip !== 'string')
      throw new AppError({ code: 'order_without_address', kind: 'not_found', message: 'The order has no address yet' });
    const { radius, capabilities = [] } = query;
    const asked = { zipCode: zip.slice(0, 5), labId: order.labId, miles: Number(radius), capabilities };
    const { lab, centers } = await readCenters(labs.database, asked);
    return ok(renderCenters(lab, centers), { userId: order.userId });
  },
});
