import { hash32 } from '../model/seeded.ts';
import type { ApiResponse, ApiRoute, SimulatorParts, UserCall } from '../kit/definition/definition.ts';
import { invalid, RefusalError } from '../kit/parts/refusal.ts';
import { clientIdOf } from './headers.ts';

interface Subscription {
  readonly id: string;
  readonly user_id: string;
  readonly content_type: string;
  readonly client_id: string;
  readonly created_at: string;
}

const contentTypes = ['diary_meal', 'diary_exercise', 'diary_steps', 'measurements', 'user_info'] as const;

const keyOf = (clientId: string, userId: string) => `subscriptions ${clientId} ${userId}`;

/** An application's subscriptions to the changes of one user. */
export function subscriptionsOf({ memory }: SimulatorParts, clientId: string, userId: string): readonly Subscription[] {
  return (memory.get(keyOf(clientId, userId)) as readonly Subscription[] | undefined) ?? [];
}

export function dropSubscriptions({ memory }: SimulatorParts, clientId: string, userId: string): void {
  memory.delete(keyOf(clientId, userId));
}

function own({ parts, grant }: UserCall): readonly Subscription[] {
  return subscriptionsOf(parts, grant.clientId, grant.providerUserId);
}

/** To all types at once; the body must be empty, and the address is not part of the call. */
function create(call: UserCall): ApiResponse {
  const { parts, grant, text } = call;
  clientIdOf(call);
  if (text.trim() !== '') throw invalid('The body must be empty');
  if (own(call).length > 0) throw new RefusalError('request_invalid', 'The subscription exists', { status: 422 });
  const created = contentTypes.map((type): Subscription => ({
    id: `s${hash32(`${grant.grantId} ${type}`).toString(36)}`,
    user_id: grant.providerUserId,
    content_type: type,
    client_id: grant.clientId,
    created_at: `${new Date(parts.clock.wallMs()).toISOString().slice(0, 19)}Z`,
  }));
  parts.memory.set(keyOf(grant.clientId, grant.providerUserId), created);
  parts.save();
  return { status: 201, headers: { location: `/v2/subscriptions/${created[0]?.id ?? ''}` }, body: { items: created } };
}

function find(call: UserCall): Subscription {
  const found = own(call).find(({ id }) => id === call.params['id']);
  if (!found) throw new RefusalError('not_found', 'No such subscription');
  return found;
}

function remove(call: UserCall): ApiResponse {
  const { parts, grant } = call;
  const gone = find(call);
  parts.memory.set(
    keyOf(grant.clientId, grant.providerUserId),
    own(call).filter((subscription) => subscription !== gone),
  );
  parts.save();
  return { status: 204 };
}

const user = { auth: 'user', scope: 'subscriptions' } as const;
const path = '/v2/subscriptions';

export const subscriptionRoutes: readonly ApiRoute[] = [
  { ...user, kind: 'subscription.list', method: 'GET', path, respond: (call: UserCall) => ({ body: { items: own(call) } }) },
  { ...user, kind: 'subscription.create', method: 'POST', path, respond: create },
  { ...user, kind: 'subscription.get', method: 'GET', path: `${path}/:id`, respond: (call: UserCall) => ({ body: { item: find(call) } }) },
  { ...user, kind: 'subscription.delete', method: 'DELETE', path: `${path}/:id`, respond: remove },
];
