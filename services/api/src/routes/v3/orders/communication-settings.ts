import { CommunicationSettings, CommunicationSettingsBody, OrderParams } from '@pulsewire/contract';
import { getOrder, putCommunicationSettings } from '@pulsewire/labs';
import { defineRoute, ok } from '../../../route/route.ts';

const common = { path: '/v3/order/{order_id}/communication_settings', area: 'lab orders', auth: 'key', params: OrderParams } as const;
const responses = { 200: { description: 'The settings.', schema: CommunicationSettings } };

export const getCommunicationSettingsRoute = defineRoute({
  ...common,
  method: 'GET',
  operationId: 'getCommunicationSettings',
  summary: 'Read how the patient is notified of an order',
  responses,
  failures: [404],
  async handler({ labs, team }, { params }) {
    const { order } = await getOrder(labs.database, labs, team.teamId, params.order_id);
    return ok({ order_id: order.orderId, sms_enabled: order.smsEnabled }, { userId: order.userId });
  },
});

export const putCommunicationSettingsRoute = defineRoute({
  ...common,
  method: 'PATCH',
  operationId: 'updateCommunicationSettings',
  summary: 'Set how the patient is notified of an order',
  body: CommunicationSettingsBody,
  responses,
  failures: [404],
  async handler({ labs, team }, { params, body }) {
    const { order_id: orderId } = params;
    const { sms_enabled: smsEnabled } = body;
    const userId = await putCommunicationSettings(labs.database, team.teamId, orderId, { smsEnabled });
    return ok({ order_id: orderId, sms_enabled: smsEnabled }, { userId });
  },
});
