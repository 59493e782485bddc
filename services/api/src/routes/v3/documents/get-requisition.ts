import { OrderParams } from '@pulsewire/contract';
import { readRequisition } from '@pulsewire/labs';
import { defineRoute, pdf, pdfResponse } from '../../../route/route.ts';

export const getRequisitionRoute = defineRoute({
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
    const { requisitionDocument } = await import('../../../documents/requisition-document.ts');
    const requisition = await readRequisition(labs.database, labs, team.teamId, params.order_id);
    const bytes = await requisitionDocument(requisition, team.isSandbox);
    return pdf(bytes, `requisition-${params.order_id}`, { userId: requisition.view.order.userId });
  },
});
