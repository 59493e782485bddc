import { providerError } from '../kit/http/provider-error.ts';
import { readUnlessMissing } from '../kit/http/read-optional.ts';
import { readNotices, readPushJson } from '../kit/push/parse-push.ts';
import { noticeBytesMax } from '../kit/push/push-limits.ts';
import { JsonNode } from '../kit/values/json-node.ts';
import type { PushNotice, PushSupport, RawPush, SubscribeCall } from '../kit/types/connector.ts';
import { everyoneName, patientName } from './names.ts';
import { latest, recordings } from './pulls.ts';

const path = '/v1/callback';
const clinicPattern = /^[0-9a-f]{40}$/;

/** Our address for a clinic: the callbacks of two clinics may name the same patient number. */
function urlOf(callbackUrl: string, { clinic }: SubscribeCall['user']['account']): string {
  return typeof clinic === 'string' ? `${callbackUrl}?clinic=${clinic}` : callbackUrl;
}

/**
 * Sets the one callback of the clinic, which serves all of its patients, so that it is never removed with one of them. One that another
 * system has set is kept: the clinic would not hear from it any more. Throws AppError `provider_permanent` then, and polling remains.
 */
async function subscribe({ http, user, address }: Omit<SubscribeCall, 'subscriptionId'>): Promise<void> {
  if (address === null) return;
  const url = urlOf(address.callbackUrl, user.account);
  const known = new JsonNode((await readUnlessMissing(http, path))?.body).at('url').value;
  if (known === url) return;
  // The same path of ours, for example from before the verification code was changed.
  const ours = address.callbackUrl.slice(0, address.callbackUrl.lastIndexOf('/') + 1);
  if (typeof known === 'string' && known !== '' && !known.startsWith(ours))
    throw providerError('provider_permanent', { reason: 'callback_taken' });
  await http.put(path, { form: { url } });
}

/** The first of these members that is an id. The current reference does not show bodies; an older one names them like the first. */
function idIn(body: JsonNode, ...names: readonly string[]): string | null {
  const found = names
    .map((name) => body.at(name))
    .find(({ value }) => (typeof value === 'string' && value !== '') || typeof value === 'number');
  return found === undefined ? null : found.id();
}

const patientNames = ['customParticipantId', 'customParticipantID', 'patientId', 'patientID'] as const;
const recordingNames = ['recordingId', 'recordingID'] as const;
/** A patient who left the clinic: recordings stay readable, and a callback is not proof enough to end the connection. */
const departures: ReadonlySet<unknown> = new Set(['participantDisconnected', 'patientDisconnected']);

function readNotice(body: JsonNode, clinic: string | undefined): PushNotice[] {
  if (typeof body.value !== 'object' || body.value === null || Array.isArray(body.value)) throw body.fail('unknown_shape');
  if (departures.has(body.at('eventType').value)) return [];
  const patient = idIn(body, ...patientNames);
  const object = { kind: 'object', collection: recordings, objectId: idIn(body, ...recordingNames) ?? latest } as const;
  if (clinic === undefined) return patient === null ? [] : [{ ...object, providerUserId: patient }];
  return [{ ...object, providerUserId: patient === null ? everyoneName(clinic) : patientName(clinic, patient), isAlias: true }];
}

function clinicIn({ query }: Pick<RawPush, 'query'>): string | undefined {
  const { clinic } = query;
  return clinic !== undefined && clinicPattern.test(clinic) ? clinic : undefined;
}

/** Callbacks of a clinic. They are not signed and have no data: at most, what we know is read again. */
export const kardiaPush: PushSupport = {
  isSigned: false,
  acceptedStatus: 200,
  rejectedStatus: 404,
  bodyBytesMax: noticeBytesMax,
  // Sent when the callback is set.
  handshake: ({ method, body }) => (method === 'POST' && body.length === 0 ? { status: 200, body: '' } : null),
  // The unguessable segment of the address authenticates the request.
  verify: ({ method }) => method === 'POST',
  parse: (push) => readNotices([readPushJson(push.body)], (body) => readNotice(body, clinicIn(push))),
  subscribe,
};
