import { OrderParams } from '@pulsewire/contract';
import { readResults } from '@pulsewire/labs';
import { defineRoute, pdf, pdfResponse } from '../../../route/route.ts';

export const getResultsPdfRoute = defineRoute({
  method: 'GET',
  path: '/v3/order/{order_id}/result/pdf',
  operationId: 'getOrderResultsPdf',
  area: 'lab results',
  auth: 'key',
  summary: 'Read the results of an order as a document',
  params: OrderParams,
  responses: { 200: pdfResponse('The results.') },
  failures: [404],
  async handler({ labs, team }, { params }) {
    const { resultsDocument } = await import('../../../documents/results-document.ts');
    const results = await readResults(labs.database, labs, team.teamId, params.order_id);
    return pdf(await resultsDocument(results, team.isSandbox), `results-${params.order_id}`, { userId: results.userId });
  },
});
