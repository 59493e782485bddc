import { DemoLinkBody, DemoLinkedBody } from '@pulsewire/contract';
import { assertDemoAllowed, connectDemo, extendDemos } from '@pulsewire/connections';
import { defineRoute, ok } from '../../../route/route.ts';

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
