import { createHmac, randomUUID } from 'node:crypto';
import type { ApiCall, ApiRoute, PushSpec } from '../kit/definition/definition.ts';
import { basicClient } from '../kit/oauth/client-auth.ts';
import type { Change } from '../kit/person/types.ts';
import { requestAddress } from '../kit/push/request-address.ts';
import type { PushTarget } from '../kit/push/sender.ts';
import { invalid, RefusalError } from '../kit/parts/refusal.ts';
import type { SimulatorApplication } from '../kit/types.ts';
import { exerciseId } from './documents.ts';

const path = '/webhooks';

function clientOf({ headers, parts }: ApiCall): SimulatorApplication {
  const found = basicClient(headers['authorization'] as string | undefined, parts.applications);
  if (!found) throw new RefusalError('client_invalid', 'Unknown client');
  return found;
}

function find(call: ApiCall): PushTarget | undefined {
  const { clientId } = clientOf(call);
  return call.parts.pushes.targets().find((target) => target.clientId === clientId);
}

const shown = ({ callbackUrl, details }: PushTarget): object => ({ id: details['id'], events: details['events'], url: callbackUrl });

/** One for each client. The address must respond to a PING with 200; the secret is in this response only. */
async function create(call: ApiCall) {
  const { clientId } = clientOf(call);
  const { events, url } = (call.json ?? {}) as { readonly events?: unknown; readonly url?: unknown };
  if (!Array.isArray(events) || events.length === 0 || typeof url !== 'string' || !URL.canParse(url)) throw invalid('Invalid webhook');
  if (find(call)) throw new RefusalError('conflict', 'Webhook exists');
  const body = JSON.stringify({ timestamp: new Date(call.parts.clock.wallMs()).toISOString(), event: 'PING' });
  const headers = { 'content-type': 'application/json', 'Polar-Webhook-Event': 'PING' };
  const response = await requestAddress(url, { method: 'POST', headers, body });
  if (response?.status !== 200) throw invalid('The address did not respond to the ping');
  const secret = randomUUID();
  const target: PushTarget = {
    clientId,
    callbackUrl: url,
    verificationCode: '',
    details: { id: randomUUID().slice(0, 8), events, secret },
  };
  call.parts.pushes.add(target);
  call.parts.save();
  return { status: 201, body: { data: { ...shown(target), signature_secret_key: secret } } };
}

export const webhookRoutes: readonly ApiRoute[] = [
  {
    kind: 'webhooks.list',
    method: 'GET',
    path,
    auth: 'open',
    respond(call) {
      const found = find(call);
      return { body: { data: found ? [shown(found)] : [] } };
    },
  },
  { kind: 'webhooks.create', method: 'POST', path, auth: 'open', respond: create },
  {
    kind: 'webhooks.activate',
    method: 'POST',
    path: `${path}/activate`,
    auth: 'open',
    respond(call) {
      if (!find(call)) throw new RefusalError('not_found', 'No webhook');
      return { status: 200 };
    },
  },
  {
    kind: 'webhooks.delete',
    method: 'DELETE',
    path: `${path}/:id`,
    auth: 'open',
    respond(call) {
      const found = find(call);
      if (found?.details['id'] !== call.params['id']) throw new RefusalError('not_found', 'No such webhook');
      call.parts.pushes.remove((target) => target === found);
      call.parts.save();
      return { status: 204 };
    },
  },
];

const eventsOf: Readonly<Record<Change['kind'], readonly string[]>> = {
  activity: ['ACTIVITY_SUMMARY', 'CONTINUOUS_HEART_RATE'],
  sleep: ['SLEEP'],
  workout: ['EXERCISE'],
  body: ['PHYSICAL_INFORMATION'],
  blood_pressure: [],
  glucose: [],
  meal: [],
};

/** Events with their day only at the end of their URL. */
const datelessEvents: ReadonlySet<string> = new Set(['SLEEP', 'CONTINUOUS_HEART_RATE']);

/** Notifications: a day or an exercise, and where to read it. Signed with the webhook's secret over the body. */
export const polarPushes: PushSpec = {
  messages(change, { providerUserId }, parts) {
    if (change.action === 'deleted') return [];
    return eventsOf[change.kind].map((event) => {
      const id = exerciseId(change);
      const what =
        event === 'EXERCISE'
          ? { entity_id: id, url: `https://www.polaraccesslink.com/v3/exercises/${id}` }
          : {
              ...(datelessEvents.has(event) ? {} : { date: change.date }),
              url: `https://www.polaraccesslink.com/v3/users/${event.toLowerCase()}/${change.date}`,
            };
      const timestamp = new Date(parts.clock.wallMs()).toISOString();
      return {
        topic: event,
        headers: { 'Polar-Webhook-Event': event },
        body: { event, user_id: Number(providerUserId), timestamp, ...what },
      };
    });
  },
  concerns: ({ details }, { topic }) => Array.isArray(details['events']) && details['events'].includes(topic),
  sign: (body, { target }) => ({
    'Polar-Webhook-Signature': createHmac('sha256', String(target.details['secret'])).update(body).digest('hex'),
  }),
  isAccepted: (status) => status === 200,
};
