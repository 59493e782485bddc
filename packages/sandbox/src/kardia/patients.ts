import type { SimAccount } from '../kit/accounts/accounts.ts';
import type { ApiRoute, UserCall } from '../kit/definition/definition.ts';
import { uuidOf } from '../kit/person/uuid-of.ts';
import { RefusalError } from '../kit/parts/refusal.ts';
import { pageOf } from './pages.ts';

/** A patient in a clinic's list. */
interface Patient {
  readonly id: string;
  readonly mrn: string;
  readonly dob: string;
  readonly email: string;
  readonly firstname?: string;
  readonly lastname?: string;
  readonly sex?: number;
}

const idOf = (text: string) => uuidOf(`kardia:${text}`).replaceAll('-', '');

/** The patient who is the person of the account: known by the address that the account has as well. */
export function ownPatient({ name, email, person, providerUserId }: SimAccount): Patient {
  const [firstname = '', lastname = ''] = name.split(' ');
  const sex = person.sex === 'male' ? 1 : 2;
  return { id: idOf(name), mrn: `MRN-${providerUserId}`, dob: person.birthDate, email: email.toUpperCase(), firstname, lastname, sex };
}

/** Other patients of the same clinic: one with a similar address, one with only what is required, and many who were never connected. */
function otherPatients({ name, email }: SimAccount): readonly Patient[] {
  const similar = {
    id: idOf(`${name} similar`),
    mrn: 'MRN-1',
    dob: '1961-05-02',
    email: `x${email}`,
    firstname: 'Max',
    lastname: 'Muster',
    sex: 0,
  };
  const bare = { id: idOf(`${name} bare`), mrn: 'MRN-2', dob: '1970-03-12', email: 'bare@mail.example' };
  const idle = Array.from({ length: 510 }, (_, place): Patient => {
    return { id: idOf(`${name} idle ${place}`), mrn: `MRN-${100 + place}`, dob: '1955-01-01', email: `patient-${place}@mail.example` };
  });
  return [similar, bare, ...idle];
}

/** Newest first: the account's own patient was the first one, so that they are on the last page. */
export function patientsOf(account: SimAccount): readonly Patient[] {
  const known = patients.get(account);
  if (known) return known;
  const made = [...otherPatients(account), ownPatient(account)];
  patients.set(account, made);
  return made;
}

// Hundreds of ids that never change, for every request.
const patients = new WeakMap<SimAccount, readonly Patient[]>();

export function findPatient({ account, params }: UserCall): Patient {
  const patient = patientsOf(account).find(({ id }) => id === params['id']);
  if (!patient) throw new RefusalError('not_found', 'Not Found');
  return patient;
}

const get = { method: 'GET', auth: 'user' } as const;

export const patientRoutes: readonly ApiRoute[] = [
  {
    ...get,
    kind: 'patients',
    path: '/v1/patients',
    respond: (call: UserCall) => pageOf(call, patientsOf(call.account), { byDefault: 100, max: 500 }, (patient) => patient),
  },
  { ...get, kind: 'patient', path: '/v1/patients/:id', respond: (call: UserCall) => ({ body: findPatient(call) }) },
  {
    ...get,
    kind: 'code',
    path: '/v1/patients/:id/code',
    respond(call: UserCall) {
      const isOwn = findPatient(call).id === ownPatient(call.account).id;
      return { body: { code: 'LQYP-MSAK-NPJR', status: isOwn ? 'connected' : 'pending' } };
    },
  },
];
