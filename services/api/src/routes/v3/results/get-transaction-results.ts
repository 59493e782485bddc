import { ResultsBody, TransactionParams } from '@pulsewire/contract';
import { readTransactionResults, renderResults } from '@pulsewire/labs';
import { defineRoute, ok } from '../../../route/route.ts';

export const getTransactionResultsRoute = defineRoute({
  method: 'GET',
  path: '/v3/order_transaction/{transaction_id}/result',
  operationId: 'getOrderTransactionResults',
  area: 'lab results',
  auth: 'key',
  summary: 'Read the results of an order together with those that replace it',
  description: 'Of each analyte the latest result.',
  params: TransactionParams,
  responses: { 200: { description: 'The results of all orders of the transaction.', schema: ResultsBody } },
  failures: [404],
  async handler({ labs, team }, { params }) {
    const { transaction_id: transactionId } = params;
    const { results, samples, transaction, userId } = await readTransactionResults(labs.database, labs, team.teamId, transactionId);
    return ok(renderResults(results, transaction, samples), { userId });
  },
});
