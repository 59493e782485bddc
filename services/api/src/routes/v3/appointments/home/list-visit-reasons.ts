import { CancellationReasonsBody } from '@pulsewire/contract';
import { listCancellationReasons } from '@pulsewire/labs';
import { defineRoute, ok } from '../../../../route/route.ts';

export const listVisitReasonsRoute = defineRoute({
  method: 'GET',
  path: '/v3/order/phlebotomy/appointment/cancellation-reasons',
  operationId: 'listHomeCancellationReasons',
  area: 'lab appointments',
  auth: 'key',
  summary: 'List the reasons for which visits are cancelled',
  description: 'Each phlebotomy provider has its own.',
  responses: { 200: { description: 'The reasons.', schema: CancellationReasonsBody } },
  async handler({ labs, team }) {
    const reasons = listCancellationReasons(labs, team, 'phlebotomy');
    return ok(reasons.map(({ reasonId, name, isRefundable }) => ({ id: reasonId, name, is_refundable: isRefundable })));
  },
});
