import { Type } from 'typebox';
import { OrderParams, SimulationBody, SimulationQuery } from '@pulsewire/contract';
import { checkSimulation, simulateOrder, type OrderStatus } from '@pulsewire/labs';
import { sleep } from '@pulsewire/kernel';
import { defineRoute, ok } from '../../../route/route.ts';
import { unknownTarget } from '../../../validate/order-statuses.ts';

export const simulateOrderRoute = defineRoute({
  method: 'POST',
  path: '/v3/order/{order_id}/test',
  operationId: 'simulateOrder',
  area: 'lab orders',
  auth: 'key',
  summary: 'Simulate the progress of an order',
  description:
    'For sandbox teams. Takes the order through every status to the final one, by default to completion. With `delay` it starts that many seconds after the response, unless the process stops before.',
  params: OrderParams,
  query: SimulationQuery,
  body: SimulationBody,
  responses: { 200: { description: 'Simulated, or to be simulated.', schema: Type.Literal('Success') } },
  failures: [400, 404],
  refine: ({ query }) => unknownTarget(query.final_status),
  async handler({ labs, team, background }, { params, query, body }) {
    const simulation = {
      finalStatus: (query.final_status as OrderStatus | undefined) ?? null,
      interpretation: body.interpretation,
      resultTypes: body.result_types ?? null,
      hasMissingResults: body.has_missing_results ?? false,
    };
    const userId = await checkSimulation(labs, team, params.order_id, simulation);
    const run = () => simulateOrder(labs, team, params.order_id, simulation);
    const { delay = 0 } = query;
    if (delay === 0) await run();
    else
      background.start('order.simulate', async (signal) => {
        await sleep(delay * 1000, signal);
        if (!signal.aborted) await run();
      });
    return ok('Success', { userId });
  },
});
