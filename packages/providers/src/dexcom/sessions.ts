import type { LoginAnswer, LoginHttp } from '../kit/types/connector.ts';
import { services, type DexcomPlace, type DexcomValues } from './dexcom.ts';

const uuidPattern = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
/** Share's way to say that there is no such account or that its password is another. */
const zeroUuid = '00000000-0000-0000-0000-000000000000';

/** Where somebody logs in, and as what. */
export interface Door {
  readonly http: LoginHttp;
  readonly place: DexcomPlace;
  readonly values: DexcomValues;
}

/** What a step of the login gave: an id, or the answer that was none. */
export type Step = { readonly id: string } | { readonly id: null; readonly isNobody: boolean; readonly answer: LoginAnswer };

async function step({ http, place, values }: Door, name: string, fields: Readonly<Record<string, string>>): Promise<Step> {
  const json = { ...fields, applicationId: place === 'jp' ? values.applicationIdJp : values.applicationId };
  const headers = { accept: 'application/json' };
  const answer = await http.send({ method: 'POST', path: `${services}/General/${name}`, region: place, headers, json });
  const { status, body } = answer;
  const isId = status === 200 && typeof body === 'string' && uuidPattern.test(body);
  if (isId && body !== zeroUuid) return { id: body };
  return { id: null, isNobody: isId, answer };
}

/** The account's id for a user name, an e-mail address or a phone number. */
export function findAccount(door: Door, accountName: string, password: string): Promise<Step> {
  return step(door, 'AuthenticatePublisherAccount', { accountName, password });
}

/** A session, which reads. */
export function openSession(door: Door, accountId: string, password: string): Promise<Step> {
  return step(door, 'LoginPublisherAccountById', { accountId, password });
}
