import { Type } from 'typebox';
import { AppError } from '@pulsewire/kernel';
import { defineRoute, type Answer, type Route } from '../../../http/route.ts';

/** A provider calls us: with GET for handshakes, with POST for notices. Verified and stored before it is answered; the work comes later. */
export function receivePushRoute(method: 'GET' | 'POST'): Route {
  return defineRoute({
    method,
    path: '/v2/push/{provider}',
    operationId: method === 'GET' ? 'answerPushHandshake' : 'receivePush',
    area: 'push',
    auth: 'none',
    summary: method === 'GET' ? "Answer a provider's handshake" : "Receive a provider's notice of new data",
    description: 'Called by providers, who sign their calls. Status and body are those that the provider expects.',
    params: Type.Object({ provider: Type.String({ maxLength: 64 }) }, { title: 'PushParams' }),
    answers: {
      200: { description: 'Taken.', schema: Type.String(), contentType: 'text/plain' },
      204: { description: 'Taken.' },
    },
    failures: [404],
    async handler(context, { params, raw }): Promise<Answer> {
      const connector = context.links.connectorFor(params.provider);
      if (!connector?.push) throw new AppError({ code: 'push_not_taken', kind: 'not_found', message: 'This provider does not call here' });
      const { status, body } = await context.receivePush(connector, raw);
      return body === '' ? { status } : { status, headers: { 'content-type': 'text/plain; charset=utf-8' }, body };
    },
  });
}
