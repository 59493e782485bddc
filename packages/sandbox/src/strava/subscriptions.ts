import { randomUUID } from 'node:crypto';
import { hash32 } from '../model/seeded.ts';
import type { ApiResponse, ApiCall, ApiRoute } from '../kit/definition/definition.ts';
import { checkClient } from '../kit/oauth/client-auth.ts';
import { requestAddress } from '../kit/push/request-address.ts';
import type { PushTarget } from '../kit/push/sender.ts';
import { invalid, RefusalError } from '../kit/parts/refusal.ts';
import type { SimulatorApplication } from '../kit/types.ts';

const path = '/push_subscriptions';
const respondWithinMs = 2000;
const urlLengthMax = 255;

/** The application itself, with no token of an athlete: in the query, or in the form. */
function clientOf({ parts }: ApiCall, fields: URLSearchParams): SimulatorApplication {
  const found = checkClient(parts.applications, fields.get('client_id') ?? '', fields.get('client_secret') ?? '');
  if (!found) throw new RefusalError('client_invalid', 'Authorization Error');
  return found;
}

/** The one subscription that an application can have. */
function subscriptionOf({ parts }: ApiCall, { clientId }: SimulatorApplication): PushTarget | undefined {
  return parts.pushes.targets().find((target) => target.clientId === clientId);
}

function list(call: ApiCall): ApiResponse {
  const found = subscriptionOf(call, clientOf(call, call.query));
  return { body: found ? [{ id: found.details['id'], callback_url: found.callbackUrl }] : [] };
}

/** Calls the address before it responds. */
async function create(call: ApiCall): Promise<ApiResponse> {
  const application = clientOf(call, call.form);
  const callbackUrl = call.form.get('callback_url') ?? '';
  const token = call.form.get('verify_token') ?? '';
  if (!URL.canParse(callbackUrl) || callbackUrl.length > urlLengthMax) throw invalid('callback_url invalid');
  if (subscriptionOf(call, application)) throw invalid('PushSubscription already exists');
  const challenge = randomUUID();
  const query = { 'hub.mode': 'subscribe', 'hub.challenge': challenge, 'hub.verify_token': token };
  const response = await requestAddress(callbackUrl, { query, deadlineMs: respondWithinMs });
  if (response?.status !== 200 || response.text !== JSON.stringify({ 'hub.challenge': challenge }))
    throw invalid('callback url not verifiable');
  const id = 100_000 + (hash32(`${application.clientId} ${callbackUrl}`) % 900_000);
  call.parts.pushes.add({ clientId: application.clientId, callbackUrl, verificationCode: token, details: { id } });
  call.parts.save();
  return { status: 201, body: { id } };
}

function remove(call: ApiCall): ApiResponse {
  const { clientId } = clientOf(call, call.query);
  const matches = (target: PushTarget) => target.clientId === clientId && String(target.details['id']) === call.params['id'];
  if (call.parts.pushes.remove(matches) === 0) throw new RefusalError('not_found', 'Record Not Found');
  call.parts.save();
  return { status: 204 };
}

export const subscriptionRoutes: readonly ApiRoute[] = [
  { kind: 'subscription.list', method: 'GET', path, auth: 'open', respond: list },
  { kind: 'subscription.create', method: 'POST', path, auth: 'open', respond: create },
  { kind: 'subscription.delete', method: 'DELETE', path: `${path}/:id`, auth: 'open', respond: remove },
];
