import { LabelsQuery, OrderParams } from '@pulsewire/contract';
import { readRequisition } from '@pulsewire/labs';
import { defineRoute, pdf, pdfResponse } from '../../../route/route.ts';

export const getLabelsRoute = defineRoute({
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
    const { labelsDocument } = await import('../../../documents/labels-document.ts');
    const requisition = await readRequisition(labs.database, labs, team.teamId, params.order_id);
    const { collection_date: date, number_of_labels: copies } = query;
    const bytes = await labelsDocument(requisition, { collectedOn: date.slice(0, 10), copies, isSimulated: team.isSandbox });
    return pdf(bytes, `labels-${params.order_id}`, { userId: requisition.view.order.userId });
  },
});
