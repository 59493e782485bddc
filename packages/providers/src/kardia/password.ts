import { JsonNode } from '../kit/values/json-node.ts';
import { usernameField, passwordField } from '../kit/password/form.ts';
import { refusedLogin, refusedRenewal, unclearLogin, unclearRenewal } from '../kit/password/refused.ts';
import { readRenewal, writeRenewal } from '../kit/password/renewal.ts';
import type { LoginHttp, LoginResponse, PasswordSupport, TokenSet } from '../kit/types/connector.ts';
import { basicAuthOf } from './kardia.ts';
import { namesOf } from './names.ts';

const regions = ['us', 'eu'] as const;
/** An e-mail address that is looked for among the patients of an account; more are not searched. */
const patientPagesMax = 20;

const regionOf = (region: unknown) => (region === 'eu' ? 'eu' : 'us');

function tokensOf(apiKey: string): TokenSet {
  // A key does not expire; it is its own credential.
  return { accessToken: apiKey, refreshToken: writeRenewal({ apiKey }), expiresAt: null, scopes: null, providerUserId: null };
}

interface Patient {
  readonly id: string;
  /** The clinic's own number. */
  readonly number: string | null;
}

interface Patients {
  readonly found: readonly Patient[];
  /** The response that ended the search without a result. */
  readonly failed: LoginResponse | null;
}

/** An older edition of the reference calls it by the second name. */
function numberOf(patient: JsonNode): string | null {
  const { value } = patient.at('mrn').isMissing ? patient.at('patientMRN') : patient.at('mrn');
  return typeof value === 'string' ? value : null;
}

async function findPatients(http: LoginHttp, region: string, apiKey: string, email: string): Promise<Patients> {
  const found: Patient[] = [];
  let start: string | null = null;
  for (let page = 0; page < patientPagesMax; page++) {
    const query = { limit: '500', ...(start !== null && { start }) };
    const response = await http.send({
      method: 'GET',
      path: '/v1/patients',
      region,
      query,
      headers: { accept: 'application/json', authorization: basicAuthOf(apiKey) },
    });
    const body = new JsonNode(response.body);
    const list = body.at('data').value;
    if (response.status !== 200 || !Array.isArray(list)) return { found: [], failed: response };
    for (const item of list) {
      const patient = new JsonNode(item);
      const [id, address] = [patient.at('id').value, patient.at('email').value];
      if (typeof id === 'string' && typeof address === 'string' && address.toLowerCase() === email.toLowerCase())
        found.push({ id, number: numberOf(patient) });
    }
    const { value: cursor } = body.at('pageInfo').at('endCursor');
    if (body.at('pageInfo').at('hasNextPage').value !== true || typeof cursor !== 'string' || cursor === start) break;
    start = cursor;
  }
  return { found, failed: null };
}

/**
 * An account of a clinic has many patients: the user name is the e-mail address of the one who links, the password the clinic's API
 * key. An address that belongs to no patient, or to several, links none of them.
 */
export const kardiaPassword: PasswordSupport = {
  regions: [...regions],
  form: [
    usernameField('E-mail address of the patient'),
    { ...passwordField, label: 'API key', hint: 'A key of the clinic, from KardiaPro.' },
    {
      name: 'region',
      label: 'Region',
      kind: 'choice',
      choices: [
        { value: 'us', label: 'United States' },
        { value: 'eu', label: 'Europe' },
      ],
      isRequired: false,
    },
  ],
  async login({ http, username, password, region }) {
    const place = regionOf(region);
    const { found, failed } = await findPatients(http, place, password, username);
    if (failed?.status === 401) return refusedLogin('provider_credential_error', 'Kardia rejected this API key');
    if (failed !== null) return unclearLogin('Kardia', failed);
    const [patient, ...others] = found;
    if (patient === undefined || others.length > 0)
      return refusedLogin('provider_credential_error', 'This e-mail address does not belong to exactly one patient of the account');
    const { id, number } = patient;
    return {
      kind: 'linked',
      tokens: tokensOf(password),
      providerUserId: id,
      account: { region: place, ...namesOf(password, [id, number]) },
    };
  },
  async renew({ http, renewal, account }) {
    const { apiKey } = readRenewal(renewal, ['apiKey']);
    const response = await http.send({
      method: 'GET',
      path: '/v1/patients',
      region: regionOf(account['region']),
      query: { limit: '1' },
      headers: { accept: 'application/json', authorization: basicAuthOf(apiKey) },
    });
    if (response.status === 401) return refusedRenewal;
    return response.status === 200 ? { outcome: 'refreshed', tokens: tokensOf(apiKey) } : unclearRenewal(response);
  },
};
