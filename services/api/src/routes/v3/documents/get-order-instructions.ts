import { OrderParams } from '@pulsewire/contract';
import { getOrder } from '@pulsewire/labs';
import { defineRoute, pdf, pdfResponse } from '../../../route/route.ts';

export const getOrderInstructionsRoute = defineRoute({
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
    const { instructionsDocument } = await import('../../../documents/instructions-document.ts');
    const { order, test } = await getOrder(labs.database, labs, team.teamId, params.order_id);
    const bytes = await instructionsDocument(test, test.updatedAt, team.isSandbox);
    return pdf(bytes, `instructions-${params.order_id}`, { userId: order.userId });
  },
});
