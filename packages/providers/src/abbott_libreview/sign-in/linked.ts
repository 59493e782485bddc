import { refusedLogin, unclearLogin } from '../../kit/password/refused.ts';
import type { LoginHttp, LoginOutcome } from '../../kit/types/connector.ts';
import { JsonNode } from '../../kit/values/json-node.ts';
import { accountIdOf, patientPattern } from '../libreview.ts';
import { readFollowed } from '../patients.ts';
import { offerPatients } from './choose-patient.ts';
import { linkedSelf, linkedTo, type Entry, type Inside } from './linked-to.ts';

const patientType = 'pat';

async function linkFollower(http: LoginHttp, entry: Entry, inside: Inside): Promise<LoginOutcome> {
  const headers = { authorization: `Bearer ${inside.token}`, 'account-id': accountIdOf(inside.userId) };
  const response = await http.send({ method: 'GET', path: '/llu/connections', region: entry.place, headers });
  const people = response.status === 200 ? readFollowed(response.body) : null;
  if (people === null) return unclearLogin('LibreLinkUp', response);
  return people.length > 1 ? offerPatients(entry, inside, people) : linkedTo(entry, inside, people[0]?.id);
}

async function linkPatient(http: LoginHttp, entry: Entry, inside: Inside): Promise<LoginOutcome> {
  if (inside.accountType !== null && inside.accountType !== patientType)
    return refusedLogin(
      'provider_credential_error',
      'This is the account of a professional, who has several patients; the patient’s own is needed',
    );
  const headers = { authorization: `Bearer ${inside.token}` };
  const response = await http.send({ method: 'GET', path: '/reportSettings', region: entry.place, headers });
  const { value: settings } = new JsonNode(response.body).at('data');
  const isReadable = response.status === 200 && typeof settings === 'object' && settings !== null && patientPattern.test(inside.userId);
  return isReadable ? linkedSelf(entry, inside) : unclearLogin('LibreView', response);
}

/** Completes a login: the first call with the token checks that it works and determines whose data it reads. */
export function linked(http: LoginHttp, entry: Entry, inside: Inside): Promise<LoginOutcome> {
  return entry.kind === 'patient' ? linkPatient(http, entry, inside) : linkFollower(http, entry, inside);
}
