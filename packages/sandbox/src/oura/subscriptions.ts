import { randomUUID } from 'node:crypto';
import type { ApiCall, ApiRoute } from '../kit/definition/definition.ts';
import { checkClient } from '../kit/oauth/client-auth.ts';
import { requestAddress } from '../kit/push/request-address.ts';
import type { PushTarget } from '../kit/push/sender.ts';
import { invalid, RefusalError } from '../kit/parts/refusal.ts';
import type { SimulatorApplication } from '../kit/types.ts';

const path = '/v2/webhook/subscription';
const lifeMs = 90 * 86_400_000;

/** By headers, with no token of a user. */
function clientOf({ headers, parts }: ApiCall): SimulatorApplication {
  const found = checkClient(parts.applications, String(headers['x-client-id'] ?? ''), String(headers['x-client-secret'] ?? ''));
  if (!found) throw new RefusalError('client_invalid', 'Unknown client');
  return found;
}

function shown({ callbackUrl, details }: PushTarget): object {
  const { id, event_type, data_type, expiration_time } = details;
  return { id, callback_url: callbackUrl, event_type, data_type, expiration_time };
}

const expirationFrom = ({ parts }: ApiCall) => new Date(parts.clock.wallMs() + lifeMs).toISOString().replace('Z', '');

function find(call: ApiCall): PushTarget {
  const { clientId } = clientOf(call);
  const found = call.parts.pushes.targets().find((target) => target.clientId === clientId && target.details['id'] === call.params['id']);
  if (!found) throw new RefusalError('not_found', 'No such subscription');
  return found;
}

/** Calls the address before it responds: an address that does not return the challenge gets no subscription. */
async function create(call: ApiCall) {
  const { clientId } = clientOf(call);
  const body = (call.json ?? {}) as Readonly<Record<string, string | undefined>>;
  const [callbackUrl, token, event, data] = ['callback_url', 'verification_token', 'event_type', 'data_type'].map((key) => body[key] ?? '');
  if (!URL.canParse(callbackUrl ?? '') || !['create', 'update', 'delete'].includes(event ?? '')) throw invalid('Invalid subscription');
  const isThere = call.parts.pushes
    .targets()
    .some((target) => target.clientId === clientId && target.details['event_type'] === event && target.details['data_type'] === data);
  if (isThere) throw new RefusalError('conflict', 'Subscription exists');
  const challenge = randomUUID();
  const response = await requestAddress(callbackUrl ?? '', { query: { verification_token: token ?? '', challenge } });
  if (response?.status !== 200 || !response.text.includes(challenge)) throw invalid('The callback did not verify');
  const target: PushTarget = {
    clientId,
    callbackUrl: callbackUrl ?? '',
    verificationCode: token ?? '',
    details: { id: randomUUID(), event_type: event, data_type: data, expiration_time: expirationFrom(call) },
  };
  call.parts.pushes.add(target);
  call.parts.save();
  return { status: 201, body: shown(target) };
}

export const subscriptionRoutes: readonly ApiRoute[] = [
  {
    kind: 'subscription.list',
    method: 'GET',
    path,
    auth: 'open',
    respond(call) {
      const { clientId } = clientOf(call);
      return {
        body: call.parts.pushes
          .targets()
          .filter((target) => target.clientId === clientId)
          .map(shown),
      };
    },
  },
  { kind: 'subscription.create', method: 'POST', path, auth: 'open', respond: create },
  {
    kind: 'subscription.renew',
    method: 'PUT',
    path: `${path}/renew/:id`,
    auth: 'open',
    respond(call) {
      const found = find(call);
      const renewed = { ...found, details: { ...found.details, expiration_time: expirationFrom(call) } };
      call.parts.pushes.remove((target) => target === found);
      call.parts.pushes.add(renewed);
      call.parts.save();
      return { body: shown(renewed) };
    },
  },
  {
    kind: 'subscription.delete',
    method: 'DELETE',
    path: `${path}/:id`,
    auth: 'open',
    respond(call) {
      const found = find(call);
      call.parts.pushes.remove((target) => target === found);
      call.parts.save();
      return { status: 204 };
    },
  },
];
