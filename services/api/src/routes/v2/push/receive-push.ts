import { Type } from 'typebox';
import { AppError, errorCode } from '@pulsewire/kernel';
import type { Connector, PushReply, PushSupport } from '@pulsewire/providers';
import type { OpenContext } from '../../../context/context.ts';
import { defineRoute, type RouteResponse, type Route } from '../../../route/route.ts';
import { readPushBody } from './read-push-body.ts';

const provider = Type.String({ maxLength: 64 });
const params = {
  signed: Type.Object({ provider }, { title: 'PushParams' }),
  unsigned: Type.Object({ provider, segment: Type.String({ maxLength: 64 }) }, { title: 'UnsignedPushParams' }),
};

/** Throws AppError `push_unsupported` for a provider that sends no pushes. */
function callerOf(context: OpenContext, slug: string): Connector & { readonly push: PushSupport } {
  const connector = context.links.connectorFor(slug);
  if (connector?.push) return { ...connector, push: connector.push };
  throw new AppError({ code: 'push_unsupported', kind: 'not_found', message: 'This provider sends no notifications' });
}

/** Outcomes of rejected pushes, by error code. */
const refusals: Readonly<Record<string, string>> = {
  body_too_large: 'too_large',
  body_not_received: 'broken_off',
  push_capacity_exceeded: 'busy',
};

function responseFrom({ status, body, contentType = 'text/plain; charset=utf-8' }: PushReply): RouteResponse {
  return body === '' ? { status } : { status, headers: { 'content-type': contentType }, body };
}

/** A rejected provider repeats its pushes, so the reason is logged for the operator. */
function recordRefusal({ logger, links: { metrics } }: OpenContext, slug: string, code: string): void {
  const outcome = refusals[code];
  if (outcome === undefined) return;
  metrics.count('ingest_pushes_total', { provider: slug, outcome });
  logger.warn({ provider: slug, errorCode: code }, 'push.rejected');
}

/**
 * Calls of a provider: GET or HEAD for handshakes, POST for notices. A notice is verified and stored before the response and
 * processed later. Providers that do not sign requests get a URL with an unguessable segment.
 */
function receivePushRoute(method: 'GET' | 'POST', kind: 'signed' | 'unsigned'): Route {
  const name = kind === 'signed' ? '' : 'Unsigned';
  return defineRoute({
    method,
    path: kind === 'signed' ? '/v2/push/{provider}' : '/v2/push/{provider}/{segment}',
    operationId: method === 'GET' ? `answer${name}PushHandshake` : `receive${name}Push`,
    area: 'push',
    auth: 'none',
    summary: method === 'GET' ? "Respond to a provider's handshake" : "Receive a provider's notice of new data",
    description: 'Called by providers, which sign the request or use a secret path. Status and body are those that the provider expects.',
    servesHead: method === 'GET',
    // At most sixteen bodies at once are verified and stored, and their transactions wait for no lock of a user.
    boundsItself: true,
    // Read here, because the provider determines the size limit.
    streamsBody: method === 'POST',
    params: params[kind],
    ...(method === 'POST' && { body: Type.Unknown({ description: 'What the provider sends; its signature is over the exact bytes.' }) }),
    // Without a content type: the body is defined by the provider, and mostly empty.
    responses: {
      200: { description: 'Accepted.' },
      204: { description: 'Accepted.' },
      401: { description: 'The signature is wrong.' },
      403: { description: 'The signature or the address is wrong.' },
      404: { description: 'This provider sends no notifications, or the signature or the address is wrong.' },
    },
    // The address is public and bodies are large, so a call that is already invalid is rejected before its body is read.
    async admit(context, { provider: slug = '', segment = null }, head) {
      const reply = await context.rejectUnknownAddress(callerOf(context, slug), segment, head);
      return reply && responseFrom(reply);
    },
    async handler(context, { params: path, raw }): Promise<RouteResponse> {
      const segment = 'segment' in path ? path.segment : null;
      const connector = callerOf(context, path.provider);
      const hold = context.pushBytes?.open(connector.slug);
      try {
        return responseFrom(await context.receivePush(connector, await readPushBody(raw, connector.push, hold), segment));
      } catch (error) {
        recordRefusal(context, connector.slug, errorCode(error));
        throw error;
      } finally {
        hold?.release();
      }
    },
  });
}

export const pushRoutes: readonly Route[] = [
  receivePushRoute('GET', 'signed'),
  receivePushRoute('POST', 'signed'),
  receivePushRoute('GET', 'unsigned'),
  receivePushRoute('POST', 'unsigned'),
];
