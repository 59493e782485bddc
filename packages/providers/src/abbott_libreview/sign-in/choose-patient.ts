import { refusedLogin } from '../../kit/password/refused.ts';
import { readRenewal, writeRenewal } from '../../kit/password/renewal.ts';
import type { LoginOutcome, MfaChallenge } from '../../kit/types/connector.ts';
import { linkedTo, type Entry, type Inside } from './linked-to.ts';
import type { Followed } from '../patients.ts';

const choiceLifeMs = 10 * 60_000;
/** Most people to choose from. */
const peopleMax = 50;
const fields = ['email', 'password', 'place', 'token', 'expires', 'user', 'patients'] as const;

/** An account that follows several people: the user chooses one by its number. */
export function offerPatients({ email, password, place }: Omit<Entry, 'kind'>, inside: Inside, people: readonly Followed[]): MfaChallenge {
  const offered = people.slice(0, peopleMax);
  const choices = offered.map(({ name }, index) => ({ value: String(index + 1), label: name ?? `Person ${index + 1}` }));
  return {
    kind: 'mfa',
    method: 'choice',
    hint: `Enter the number of the person: ${choices.map(({ value, label }) => `${value} ${label}`).join(', ')}`,
    choices,
    ticket: writeRenewal({
      email,
      password,
      place: place ?? '',
      token: inside.token,
      expires: String(inside.expiresAt.getTime()),
      user: inside.userId,
      patients: offered.map(({ id }) => id).join(' '),
    }),
    expiresInMs: choiceLifeMs,
  };
}

/** Links the person with the entered number. Null: the ticket is not one of `offerPatients`. */
export function choosePatient(ticket: string, entered: string): LoginOutcome | null {
  if (!isOffer(ticket)) return null;
  const { email, password, place, token, expires, user, patients } = readRenewal(ticket, fields);
  const number = /^\d{1,3}$/.test(entered.trim()) ? Number(entered) : 0;
  const patient = patients.split(' ')[number - 1];
  if (patient === undefined) return refusedLogin('incorrect_mfa_code', 'This is not the number of any of the people');
  const inside: Inside = { kind: 'in', token, userId: user, expiresAt: new Date(Number(expires)), accountType: null };
  return linkedTo({ kind: 'follower', email, password, place: place === '' ? null : place }, inside, patient);
}

function isOffer(ticket: string): boolean {
  const kept: unknown = JSON.parse(ticket);
  return typeof kept === 'object' && kept !== null && 'patients' in kept;
}
