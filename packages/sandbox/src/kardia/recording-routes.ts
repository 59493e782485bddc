import type { ApiRoute, UserCall } from '../kit/definition/definition.ts';
import { RefusalError } from '../kit/parts/refusal.ts';
import { pageOf } from './pages.ts';
import { findPatient, ownPatient, patientsOf } from './patients.ts';
import { recordingsOf, type Recording } from './recordings.ts';

const limits = { byDefault: 10, max: 50 };

const whole = ({ shown, signal }: Recording) => ({ ...shown, ...signal() });
interface Signal {
  readonly samples?: { readonly leadI?: readonly number[]; readonly lead_I?: readonly number[] };
}

/** The example of a list in the vendor's reference: the signal with other names, and neither a resolution nor a determination. */
function documented({ id, shown, signal }: Recording): object {
  const { data } = signal() as { readonly data?: Signal & { readonly raw?: Signal } };
  const { patientID, duration, heartRate, recordedAt } = shown;
  const { leadI, lead_I: olderLeadI } = (data?.raw ?? data)?.samples ?? {};
  const samples = { lead_I: leadI ?? olderLeadI ?? [] };
  return { id, patientID, duration, heartRate, data: { frequency: 300, mains_freq: 60, samples }, recordedAt };
}

/** Lists that clients have seen leave out the signal, or are as the reference shows them. */
function listed(recording: Recording): object {
  if (recording.isComplete) return whole(recording);
  return /[0-7]$/.test(recording.id) ? documented(recording) : recording.shown;
}

/** A recording of another patient of the clinic, which only the list of all patients has. */
function foreign({ account }: UserCall): Recording {
  const [other] = patientsOf(account);
  const shown = {
    id: `foreign${account.providerUserId}`,
    patientID: other?.id,
    heartRate: 111,
    duration: 30_000,
    recordedAt: '2026-03-09T08:00:00+05:30',
  };
  return { id: shown.id, shown, signal: () => ({}), isComplete: true };
}

function find(call: UserCall): Recording {
  const all = [...recordingsOf(call.account), foreign(call)];
  const found = all.find(({ id }) => id === call.params['id']);
  if (!found) throw new RefusalError('not_found', 'Not Found');
  return found;
}

const get = { method: 'GET', auth: 'user' } as const;

export const recordingRoutes: readonly ApiRoute[] = [
  {
    ...get,
    kind: 'recordings',
    path: '/v1/patients/:id/recordings',
    respond(call: UserCall) {
      const isOwn = findPatient(call).id === ownPatient(call.account).id;
      return pageOf(call, isOwn ? recordingsOf(call.account) : [], limits, listed);
    },
  },
  {
    ...get,
    kind: 'recordings.all',
    path: '/v1/recordings',
    respond: (call: UserCall) => pageOf(call, [...recordingsOf(call.account), foreign(call)], limits, listed),
  },
  { ...get, kind: 'recording', path: '/v1/recordings/:id', respond: (call: UserCall) => ({ body: whole(find(call)) }) },
];
