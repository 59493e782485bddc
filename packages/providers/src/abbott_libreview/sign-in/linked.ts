import { unclearLogin } from '../../kit/password/refused.ts';
import type { LoginHttp, LoginOutcome } from '../../kit/types/connector.ts';
import { offerPatients } from './choose-patient.ts';
import { accountIdOf } from '../libreview.ts';
import { linkedTo, type Entry, type Inside } from './linked-to.ts';
import { readFollowed } from '../patients.ts';

/** Completes a login: the first call with the token checks that it works and determines whose data it reads. */
export async function linked(http: LoginHttp, entry: Entry, inside: Inside): Promise<LoginOutcome> {
  const headers = { authorization: `Bearer ${inside.token}`, 'account-id': accountIdOf(inside.userId) };
  const response = await http.send({ method: 'GET', path: '/llu/connections', region: entry.place, headers });
  const people = response.status === 200 ? readFollowed(response.body) : null;
  if (people === null) return unclearLogin('LibreLinkUp', response);
  return people.length > 1 ? offerPatients(entry, inside, people) : linkedTo(entry, inside, people[0]?.id);
}
