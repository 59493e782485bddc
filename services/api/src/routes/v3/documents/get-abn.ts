import { OrderParams } from '@pulsewire/contract';
import { readAbn } from '@pulsewire/labs';
import { defineRoute, pdf, pdfResponse } from '../../../route/route.ts';

export const getAbnRoute = defineRoute({
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
