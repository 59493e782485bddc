import { placeOf, patientPattern, planningZone, webHeaders } from '../abbott_libreview/libreview.ts';
import type { Standing } from '../abbott_libreview/sign-in/login.ts';
import { logInPractice } from './practice-login.ts';
import { refusalOf } from './refusal.ts';
import { contractRegions } from '../kit/password/contract-regions.ts';
import { regionField } from '../kit/password/form.ts';
import { refusedLogin, unclearLogin, unclearRenewal } from '../kit/password/refused.ts';
import type { EmailSupport, LoginResponse, RefreshOutcome, RefusedLogin, TokenSet } from '../kit/types/connector.ts';
import { JsonNode } from '../kit/values/json-node.ts';

/** Regions with a known host. We do not know the hosts of other countries. */
const knownRegions: readonly string[] = [...contractRegions, 'jp', 'ru'].filter((region) => placeOf(region) !== null);

const names: Readonly<Record<string, string>> = {
  us: 'United States',
  eu: 'Europe',
  de: 'Germany',
  fr: 'France',
  gb: 'United Kingdom',
  ca: 'Canada',
  au: 'Australia',
};

/** The choices of a form: the most common regions. */
const regionChoices = Object.entries(names).map(([value, label]) => ({ value, label }));

/** Until the operator has fixed the problem, retrying sooner is useless and locks the account. */
const waitForOperatorMs = 3_600_000;

type Inside = Extract<Standing, { kind: 'in' }>;

/** The next token comes from another login of the practice; no secret of the user is stored. */
function tokensOf({ token, expiresAt }: Inside, patientId: string | null): TokenSet {
  return { accessToken: token, refreshToken: 'practice', expiresAt, scopes: null, providerUserId: patientId };
}

function refusedPatient(response: LoginResponse): RefusedLogin {
  const { status, body } = response;
  const isRefusal = status === 403 || status === 404 || (status === 200 && !new JsonNode(body).at('error').isMissing);
  if (!isRefusal) return unclearLogin('LibreView', response);
  return refusedLogin(
    'provider_credential_error',
    'The practice may not read this patient: the id is wrong, or the invitation is not accepted',
  );
}

function unclear(reason: string, retryAfterMs = waitForOperatorMs): RefreshOutcome {
  return { outcome: 'unclear', retryable: true, retryAfterMs, reason };
}

/** A LibreView practice, with the calls that public clients use. */
export const freestylePractice: EmailSupport = {
  regions: knownRegions,
  form: [
    {
      name: 'email',
      label: 'E-mail address',
      kind: 'email',
      isRequired: true,
      hint: 'Of your LibreView account, as you use it in the FreeStyle app.',
    },
    regionField('Region', regionChoices, 'May be left out.'),
  ],
  async admit({ http, practice, patientId, region }) {
    if (!patientPattern.test(patientId)) return refusedLogin('provider_credential_error', 'This is not the id of a LibreView patient');
    const login = await logInPractice(http, practice, placeOf(region));
    const { standing, place } = login;
    if (standing.kind !== 'in') return refusalOf(login);
    const headers = { ...webHeaders, authorization: `Bearer ${standing.token}` };
    const response = await http.send({ method: 'GET', path: `/patients/${patientId}`, region: place, headers });
    const found = new JsonNode(response.body).at('data').at('patient').at('id').value;
    if (response.status !== 200 || found !== patientId) return refusedPatient(response);
    return {
      kind: 'admitted',
      providerUserId: patientId,
      tokens: tokensOf(standing, patientId),
      account: { ...(place === null ? {} : { region: place }), patient_id: patientId, time_zone: planningZone },
    };
  },
  async renew({ http, practice, account }) {
    const { region: home, patient_id: patient } = account;
    const { standing, place, response } = await logInPractice(http, practice, typeof home === 'string' ? home : null);
    switch (standing.kind) {
      case 'in':
        // A practice's data is in its own region: a token of another region would not give access to it.
        if (place !== (home ?? null)) return unclear('practice_moved');
        return { outcome: 'refreshed', tokens: tokensOf(standing, typeof patient === 'string' ? patient : null) };
      case 'refused':
        return unclear('practice_refused');
      case 'locked':
        return unclear('practice_locked', standing.retryAfterMs);
      case 'step':
        return unclear(standing.step === '2faVerify' ? 'practice_asked_for_code' : 'practice_must_act');
      case 'elsewhere':
        return unclear('practice_moved');
      case 'unclear':
        return unclearRenewal(response);
    }
  },
};
