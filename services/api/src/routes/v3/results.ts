import { OrderParams, OrderTracking, ResultsBody, ResultHistoryBody, ResultsMetadata, TransactionParams } from '@pulsewire/contract';
import {
  getOrder,
  readResults,
  renderResults,
  renderResultHistory,
  renderResultsMetadata,
  readTracking,
  readTransactionResults,
} from '@pulsewire/labs';
import { defineRoute, ok, pdf, pdfResponse, type Route } from '../../route/route.ts';

const getResultsRoute = defineRoute({
  method: 'GET',
  path: '/v3/order/{order_id}/result',
  operationId: 'getOrderResults',
  area: 'lab results',
  auth: 'key',
  summary: 'Read the results of an order',
  description: 'Not found until there are results. Partial ones can be read before the order is completed.',
  params: OrderParams,
  responses: { 200: { description: 'The results.', schema: ResultsBody } },
  failures: [404],
  async handler({ labs, team }, { params }) {
    const { results, samples, transaction, userId } = await readResults(labs.database, labs, team.teamId, params.order_id);
    return ok(renderResults(results, transaction, samples), { userId });
  },
});

const getResultHistoryRoute = defineRoute({
  method: 'GET',
  path: '/v3/order/{order_id}/result/history',
  operationId: 'getOrderResultHistory',
  area: 'lab results',
  auth: 'key',
  summary: 'Read the replaced results of an order',
  description: 'Values that corrections and later reports have replaced. Not found until there are results.',
  params: OrderParams,
  responses: { 200: { description: 'The replaced values.', schema: ResultHistoryBody } },
  failures: [404],
  async handler({ labs, team }, { params }) {
    const { results, userId } = await readResults(labs.database, labs, team.teamId, params.order_id);
    return ok(renderResultHistory(results), { userId });
  },
});

const getResultsMetadataRoute = defineRoute({
  method: 'GET',
  path: '/v3/order/{order_id}/result/metadata',
  operationId: 'getOrderResultsMetadata',
  area: 'lab results',
  auth: 'key',
  summary: 'Read the metadata of the results of an order',
  params: OrderParams,
  responses: { 200: { description: 'Patient, laboratory, days and status of the results.', schema: ResultsMetadata } },
  failures: [404],
  async handler({ labs, team }, { params }) {
    const { results, userId } = await readResults(labs.database, labs, team.teamId, params.order_id);
    return ok(renderResultsMetadata(results), { userId });
  },
});

const getResultsPdfRoute = defineRoute({
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
    const { resultsDocument } = await import('../../documents/results-document.ts');
    const results = await readResults(labs.database, labs, team.teamId, params.order_id);
    return pdf(await resultsDocument(results, team.isSandbox), `results-${params.order_id}`, { userId: results.userId });
  },
});

const getTransactionResultsRoute = defineRoute({
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

const getTransactionResultsPdfRoute = defineRoute({
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
    const { resultsDocument } = await import('../../documents/results-document.ts');
    const { transaction_id: transactionId } = params;
    const results = await readTransactionResults(labs.database, labs, team.teamId, transactionId);
    return pdf(await resultsDocument(results, team.isSandbox), `results-${transactionId}`, { userId: results.userId });
  },
});

const getOrderTrackingRoute = defineRoute({
  method: 'GET',
  path: '/v3/order/{order_id}/tracking',
  operationId: 'getOrderTracking',
  area: 'lab results',
  auth: 'key',
  summary: 'Read how far an order is',
  description: 'Whether the sample is taken, when results are expected, and which results of each ordered marker are there.',
  params: OrderParams,
  responses: { 200: { description: 'The order, marker by marker.', schema: OrderTracking } },
  failures: [404],
  async handler({ labs, team }, { params }) {
    const view = await getOrder(labs.database, labs, team.teamId, params.order_id);
    return ok(await readTracking(labs.database, labs, view), { userId: view.order.userId });
  },
});

export const resultRoutes: readonly Route[] = [
  getOrderTrackingRoute,
  getResultsRoute,
  getResultHistoryRoute,
  getResultsMetadataRoute,
  getResultsPdfRoute,
  getTransactionResultsRoute,
  getTransactionResultsPdfRoute,
];
