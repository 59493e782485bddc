import { CancellationReasonsBody } from '@pulsewire/contract';
import { listCancellationReasons } from '@pulsewire/labs';
import { defineRoute, ok } from '../../../../route/route.ts';

export const listCenterReasonsRoute = defineRoute({
  method: 'GET',
  path: '/v3/order/psc/appointment/cancellation-reasons',
  operationId: 'listCenterCancellationReasons',
  area: 'lab appointments',
  auth: 'key',
  summary: 'List the reasons for which appointments at service centers are cancelled',
  description: 'Each lab has its own.',
  responses: { 200: { description: 'The reasons.', schema: CancellationReasonsBody } },
  async handler({ labs, team }) {
    const reasons = listCancellationReasons(labs, team, 'service_center');
    return ok(reasons.map(({ reasonId, name, isRefundable }) => ({ id: reasonId, name, is_refundable: isRefundable })));
  },
});
