import { OrderParams, LabelsQuery, LabTestParams } from '@pulsewire/contract';
import { readRequisition, readAbn, getOrder, getLabTest } from '@pulsewire/labs';
import { defineRoute, pdf, pdfResponse, type Route } from '../../route/route.ts';

const getRequisitionRoute = defineRoute({
  method: 'GET',
  path: '/v3/order/{order_id}/requisition/pdf',
  operationId: 'getRequisitionPdf',
  area: 'lab orders',
  auth: 'key',
  summary: 'Read the requisition of an order',
  params: OrderParams,
  responses: { 200: pdfResponse('The requisition. Not found before the lab has accepted the order, and for imported orders.') },
  failures: [404],
  async handler({ labs, team }, { params }) {
    const { requisitionDocument } = await import('../../documents/requisition-document.ts');
    const requisition = await readRequisition(labs.database, labs, team.teamId, params.order_id);
    const bytes = await requisitionDocument(requisition, team.isSandbox);
    return pdf(bytes, `requisition-${params.order_id}`, { userId: requisition.view.order.userId });
  },
});

const getAbnRoute = defineRoute({
  method: 'GET',
  path: '/v3/order/{order_id}/abn_pdf',
  operationId: 'getAbnPdf',
  area: 'lab orders',
  auth: 'key',
  summary: 'Read the advance beneficiary notice of an order',
  params: OrderParams,
  responses: { 200: pdfResponse('The notice, as the lab sent it. Not found unless `has_abn` is true.') },
  failures: [404],
  async handler({ labs, team }, { params }) {
    const { file, userId } = await readAbn(labs.database, labs, team.teamId, params.order_id);
    return pdf(file.content, `abn-${params.order_id}`, { userId });
  },
});

const getLabelsRoute = defineRoute({
  method: 'GET',
  path: '/v3/order/{order_id}/labels/pdf',
  operationId: 'getLabelsPdf',
  area: 'lab orders',
  auth: 'key',
  summary: 'Read labels for the sample of an order',
  params: OrderParams,
  query: LabelsQuery,
  responses: { 200: pdfResponse('The labels, one on a page. Not found before the lab has accepted the order.') },
  failures: [404],
  async handler({ labs, team }, { params, query }) {
    const { labelsDocument } = await import('../../documents/labels-document.ts');
    const requisition = await readRequisition(labs.database, labs, team.teamId, params.order_id);
    const { collection_date: date, number_of_labels: copies } = query;
    const bytes = await labelsDocument(requisition, { collectedOn: date.slice(0, 10), copies, isSimulated: team.isSandbox });
    return pdf(bytes, `labels-${params.order_id}`, { userId: requisition.view.order.userId });
  },
});

const getOrderInstructionsRoute = defineRoute({
  method: 'GET',
  path: '/v3/order/{order_id}/collection_instruction_pdf',
  operationId: 'getOrderCollectionInstructionPdf',
  area: 'lab orders',
  auth: 'key',
  summary: 'Read how the sample of an order is collected',
  params: OrderParams,
  responses: { 200: pdfResponse('The instructions.') },
  failures: [404],
  async handler({ labs, team }, { params }) {
    const { instructionsDocument } = await import('../../documents/instructions-document.ts');
    const { order, test } = await getOrder(labs.database, labs, team.teamId, params.order_id);
    const bytes = await instructionsDocument(test, test.updatedAt, team.isSandbox);
    return pdf(bytes, `instructions-${params.order_id}`, { userId: order.userId });
  },
});

const getTestInstructionsRoute = defineRoute({
  method: 'GET',
  path: '/v3/lab_test/{lab_test_id}/collection_instruction_pdf',
  operationId: 'getLabTestCollectionInstructionPdf',
  area: 'lab tests',
  auth: 'key',
  summary: 'Read how the sample of a lab test is collected',
  params: LabTestParams,
  responses: { 200: pdfResponse('The instructions.') },
  failures: [404],
  async handler({ labs, team }, { params }) {
    const { instructionsDocument } = await import('../../documents/instructions-document.ts');
    const test = await getLabTest(labs.database, team.teamId, params.lab_test_id);
    return pdf(await instructionsDocument(test, test.updatedAt, team.isSandbox), `instructions-${params.lab_test_id}`);
  },
});

export const documentRoutes: readonly Route[] = [
  getRequisitionRoute,
  getAbnRoute,
  getLabelsRoute,
  getOrderInstructionsRoute,
  getTestInstructionsRoute,
];
