import { linkByEmail, linkManually, manualProviders, assertDemoAllowed, connectDemo, extendDemos } from '@pulsewire/connections';
import {
  EmailLinkBody,
  EmailLinkResultBody,
  emailProviders,
  linkProviderParams,
  LinkTokenHeader,
  CodedErrorBody,
  DetailBody,
  ManualLinkBody,
  SuccessBody,
  DemoLinkBody,
  DemoLinkedBody,
} from '@pulsewire/contract';
import type { Connector } from '@pulsewire/providers';
import { Type } from 'typebox';
import { renderEmailLinkResult } from '../../../render/link-result.ts';
import { defineRoute, ok } from '../../../route/route.ts';
import { loginBytesMax, tokenReference } from './link-tokens.ts';

export const linkByEmailRoute = (connectors: readonly Connector[]) =>
  defineRoute({
    method: 'POST',
    path: '/v2/link/provider/email/{provider}',
    operationId: 'linkByEmail',
    area: 'linking',
    auth: 'link',
    summary: 'Link by e-mail address',
    description:
      'Requests that a practice at the provider may read the account with this address. The connection is created, and `provider.connection.created` sent, once the practice confirms. Requests that are not confirmed within 30 days expire; repeating one continues it. Link errors have status 200 and the state `error`.',
    params: linkProviderParams([
      ...new Set([...emailProviders, ...connectors.filter(({ email }) => email !== null).map(({ slug }) => slug)]),
    ]),
    headers: LinkTokenHeader,
    body: EmailLinkBody,
    bodyBytesMax: loginBytesMax,
    responses: { 200: { description: 'The result.', schema: EmailLinkResultBody } },
    failures: [503],
    async handler(context, { params, headers, body }) {
      const { email, region = null } = body;
      const reference = tokenReference(context, headers);
      const { provider } = params;
      return ok(
        renderEmailLinkResult(await linkByEmail(context.links, { ...reference, provider, email, region, traceId: context.traceId })),
      );
    },
  });

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

export const connectDemoRoute = defineRoute({
  method: 'POST',
  path: '/v2/link/connect/demo',
  operationId: 'connectDemo',
  area: 'linking',
  auth: 'key',
  summary: 'Connect a user of a sandbox team to generated data',
  description:
    'Thirty days of history, then new data every two hours. The user is deleted after seven days and cannot have real connections.',
  body: DemoLinkBody,
  responses: { 200: { description: 'Connected.', schema: DemoLinkedBody } },
  failures: [400, 403, 404],
  admit({ team }) {
    assertDemoAllowed(team);
    return null;
  },
  async handler(context, { body }) {
    const { links, clock, database, fillDemo: fill } = context;
    const { user_id: userId, provider } = body;
    const isNew = await connectDemo(links, context.team, { userId, provider, traceId: context.traceId });
    // If this is interrupted, the scheduler generates the data.
    if (isNew) context.background.start('grow_demo', (signal) => extendDemos({ database, clock, fill }, { userId, limit: 1, signal }));
    const detail = isNew ? 'Connected; thirty days of data are being made' : 'This user has this demo connection already';
    return ok({ success: true, detail });
  },
});
