import { Type } from 'typebox';
import { CodedErrorBody, DetailBody, linkProviderParams, ManualLinkBody, SuccessBody } from '@pulsewire/contract';
import { linkManually, manualProviders } from '@pulsewire/connections';
import { defineRoute, ok } from '../../../route/route.ts';

export const linkManuallyRoute = defineRoute({
  method: 'POST',
  path: '/v2/link/provider/manual/{provider}',
  operationId: 'linkManually',
  area: 'linking',
  auth: 'key',
  summary: 'Connect a source without a sign-in',
  description: "A phone's health store, a Bluetooth device, the team's own entries.",
  params: linkProviderParams(manualProviders.map(({ slug }) => slug)),
  body: ManualLinkBody,
  responses: {
    200: { description: 'Connected.', schema: SuccessBody },
    400: {
      description: 'The user may not have this source, or another user already has it.',
      schema: Type.Union([DetailBody, CodedErrorBody]),
    },
  },
  failures: [404],
  async handler(context, { params, body }) {
    const { teamId } = context.team;
    const { user_id: userId, provider_id: providerUserId } = body;
    await linkManually(context.links, { teamId, userId, provider: params.provider, providerUserId, traceId: context.traceId });
    return ok({ success: true });
  },
});
