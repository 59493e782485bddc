import type { LoginResponse, LoginHttp } from '../kit/types/connector.ts';
import { services, type DexcomPlace, type DexcomValues } from './dexcom.ts';

const uuidPattern = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
/** Share returns this id for an unknown account or a wrong password. */
const zeroUuid = '00000000-0000-0000-0000-000000000000';

/** What each login step needs: the transport, the region and the settings with the application ids. */
export interface LoginTransport {
  readonly http: LoginHttp;
  readonly place: DexcomPlace;
  readonly values: DexcomValues;
}

/** The result of a login step: an id, or a response without one. */
export type Step = { readonly id: string } | { readonly id: null; readonly isNobody: boolean; readonly response: LoginResponse };

async function step({ http, place, values }: LoginTransport, name: string, fields: Readonly<Record<string, string>>): Promise<Step> {
  const json = { ...fields, applicationId: place === 'jp' ? values.applicationIdJp : values.applicationId };
  const headers = { accept: 'application/json' };
  const response = await http.send({ method: 'POST', path: `${services}/General/${name}`, region: place, headers, json });
  const { status, body } = response;
  const isId = status === 200 && typeof body === 'string' && uuidPattern.test(body);
  if (isId && body !== zeroUuid) return { id: body };
  return { id: null, isNobody: isId, response };
}

/** The account's id for a user name, an e-mail address or a phone number. */
export function findAccount(transport: LoginTransport, accountName: string, password: string): Promise<Step> {
  return step(transport, 'AuthenticatePublisherAccount', { accountName, password });
}

/** Opens a session for reading. */
export function openSession(transport: LoginTransport, accountId: string, password: string): Promise<Step> {
  return step(transport, 'LoginPublisherAccountById', { accountId, password });
}
