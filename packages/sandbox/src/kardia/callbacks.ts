import type { SimAccount } from '../kit/accounts/accounts.ts';
import type { ApiResponse, ApiRoute, PushSpec, SimulatorParts, UserCall } from '../kit/definition/definition.ts';
import { invalid } from '../kit/parts/refusal.ts';
import { requestAddress } from '../kit/push/request-address.ts';
import type { PushTarget } from '../kit/push/sender.ts';
import { ownPatient } from './patients.ts';
import { recordingTimesOf } from './recordings.ts';

const announcedKey = ({ name }: SimAccount) => `announced ${name}`;

const isOf = ({ details }: PushTarget, { name }: SimAccount) => details['clinic'] === name;
const find = ({ parts, account }: UserCall) => parts.pushes.targets().find((target) => isOf(target, account));

const isAddress = (text: string) => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);

/** One address for each clinic, which replaces the last one. It gets an empty POST; its response is ignored. */
async function setCallback(call: UserCall): Promise<ApiResponse> {
  const { parts, account, grant, form } = call;
  const url = form.get('url') ?? '';
  if (!isAddress(url)) throw invalid('url is not an address');
  parts.pushes.remove((target) => isOf(target, account));
  parts.pushes.add({ clientId: grant.clientId, callbackUrl: url, verificationCode: '', details: { clinic: account.name } });
  // Only what is recorded from now on is announced.
  parts.memory.set(announcedKey(account), account.person.syncedMs());
  parts.save();
  await requestAddress(url, { method: 'POST' });
  return { body: { url } };
}

const path = '/v1/callback';

export const callbackRoutes: readonly ApiRoute[] = [
  { kind: 'callback.set', method: 'PUT', path, auth: 'user', respond: setCallback },
  { kind: 'callback.get', method: 'GET', path, auth: 'user', respond: (call) => ({ body: { url: find(call)?.callbackUrl ?? null } }) },
];

/**
 * The id that a callback names. The current reference shows no bodies; in the older interface it was the id that recordings name, which the
 * clinic had chosen. So it is the patient's id, and for people called Chart the clinic's own record number.
 */
function namedId(account: SimAccount): string {
  const patient = ownPatient(account);
  return account.name.startsWith('Chart') ? patient.mrn : patient.id;
}

/** The number of recordings that have arrived since the last callback. */
function takeNew(parts: SimulatorParts, account: SimAccount): number {
  const announcedMs = parts.memory.get(announcedKey(account));
  const afterMs = typeof announcedMs === 'number' ? announcedMs : 0;
  parts.memory.set(announcedKey(account), account.person.syncedMs());
  return recordingTimesOf(account, afterMs).length;
}

type EventType = 'newRecording' | 'participantConnected' | 'participantDisconnected';

const eventOf = (eventType: EventType, customParticipantId: string) => ({ topic: eventType, body: { eventType, customParticipantId } });

/** Unsigned callbacks, which name a patient and never a recording: of recordings, and of patients who come and go. */
export const kardiaPushes: PushSpec = {
  messages({ kind, action }, { providerUserId }, parts) {
    if (kind !== 'activity' || action === 'deleted') return [];
    const account = parts.accounts.byProviderUserId(providerUserId);
    if (!account) return [eventOf('newRecording', providerUserId)];
    const id = namedId(account);
    const recordings = Array.from({ length: takeNew(parts, account) }, () => eventOf('newRecording', id));
    // The patient gives up the clinic each time, and comes back before the next recording.
    return recordings.length === 0 ? [] : [eventOf('participantConnected', id), ...recordings, eventOf('participantDisconnected', id)];
  },
  concerns: (target, _message, account) => isOf(target, account),
};
