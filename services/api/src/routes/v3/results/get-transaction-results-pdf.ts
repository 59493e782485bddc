import { TransactionParams } from '@pulsewire/contract';
import { readTransactionResults } from '@pulsewire/labs';
import { defineRoute, pdf, pdfResponse } from '../../../route/route.ts';

export const getTransactionResultsPdfRoute = defineRoute({
  method: 'GET',
  path: '/v3/order_transaction/{transaction_id}/result/pdf',
  operationId: 'getOrderTransactionResultsPdf',
  area: 'lab results',
  auth: 'key',
  summary: 'Read the results of an order and of those that replace it as a document',
  params: TransactionParams,
  responses: { 200: pdfResponse('The results of all orders of the transaction.') },
  failures: [404],
  async handler({ labs, team }, { params }) {
    const { resultsDocument } = await import('../../../documents/results-document.ts');
    const { transaction_id: transactionId } = params;
    const results = await readTransactionResults(labs.database, labs, team.teamId, transactionId);
    return pdf(await resultsDocument(results, team.isSandbox), `results-${transactionId}`, { userId: results.userId });
  },
});
