import { contractRegions } from '../../kit/password/contract-regions.ts';
import { passwordField, regionField, usernameField } from '../../kit/password/form.ts';
import { endedRenewal, refusedRenewal, unclearRenewal } from '../../kit/password/refused.ts';
import { readRenewal } from '../../kit/password/renewal.ts';
import type { LoginHttp, LoginOutcome, PasswordSupport, RefreshOutcome } from '../../kit/types/connector.ts';
import { choosePatient } from './choose-patient.ts';
import { appHeadersOf, isPatient, placeOf, webHeaders, type LibreviewValues } from '../libreview.ts';
import { linked } from './linked.ts';
import { tokensOf, type Entry } from './linked-to.ts';
import { logIn, nameOf, readUser, type AccountKind, type Credentials, type LoginTry } from './login.ts';
import { refusalOf } from './refusal.ts';
import { challenge, kindOfTicket, respondToChallenge } from './two-factor.ts';

const regionChoices = [
  ['us', 'United States'],
  ['eu', 'Europe'],
  ['de', 'Germany'],
  ['fr', 'France'],
  ['gb', 'United Kingdom'],
  ['ca', 'Canada'],
  ['au', 'Australia'],
] as const;

/** While the user must act in Abbott's app, retrying sooner is useless. */
const waitForUserMs = 6 * 3_600_000;

/** Linking is documented to take up to 60 seconds. */
const loginTimeoutMs = 60_000;

/** Accounts that users may link, in the order in which they are tried. An unknown setting allows all. */
function kindsOf({ accounts }: LibreviewValues): readonly AccountKind[] {
  if (accounts === 'linkup') return ['follower'];
  return accounts === 'libreview' ? ['patient'] : ['follower', 'patient'];
}

/** The same transport, with the headers of the app or of the web page on every call. */
function asClient(http: LoginHttp, kind: AccountKind, values: LibreviewValues): LoginHttp {
  const own = kind === 'patient' ? webHeaders : appHeadersOf(values);
  return { send: (request) => http.send({ ...request, headers: { ...own, ...request.headers } }) };
}

interface Outcome {
  readonly outcome: LoginOutcome;
  readonly tried: LoginTry;
}

/** A login in one of the two ways, up to the connection or the challenge. */
async function logInAs(plain: LoginHttp, first: string | null, credentials: Credentials, values: LibreviewValues): Promise<Outcome> {
  const { kind, email, password } = credentials;
  const http = asClient(plain, kind, values);
  const tried = await logIn(http, first, credentials);
  const { standing, place } = tried;
  const entry = { kind, email, password, place };
  if (standing.kind === 'in') return { tried, outcome: await linked(http, entry, standing) };
  if (standing.kind === 'step' && standing.step === '2faVerify') return { tried, outcome: await challenge(http, entry, standing) };
  return { tried, outcome: refusalOf(tried, nameOf(kind)) };
}

/** True for a follower who follows nobody: it may be a patient's account, which LibreLinkUp accepts as well. */
function followsNobody({ outcome, tried: { standing } }: Outcome): boolean {
  return outcome.kind === 'linked' && !('patient_id' in outcome.account) && standing.kind === 'in' && standing.accountType === 'pat';
}

/** The token of a patient gets a newer one while it is valid; null when it does not. */
async function renewByToken(http: LoginHttp, entry: Entry, token: string, now: Date): Promise<RefreshOutcome | null> {
  const { standing } = await readUser(http, entry.place, token, now);
  return standing.kind === 'in' ? { outcome: 'refreshed', tokens: tokensOf(entry, standing) } : null;
}

function tokenIn(renewal: string): string | null {
  const kept: unknown = JSON.parse(renewal);
  return typeof kept === 'object' && kept !== null && 'token' in kept && typeof kept.token === 'string' ? kept.token : null;
}

function hintOf(kinds: readonly AccountKind[]): string {
  const follower = 'the LibreLinkUp account that follows the sensor';
  const patient = 'the LibreView account of its wearer';
  return `Of ${kinds.map((kind) => (kind === 'patient' ? patient : follower)).join(', or of ')}.`;
}

/**
 * LibreLinkUp, for followers, and LibreView, for patients, with its two-step login. Which one an account belongs to is decided by who
 * accepts it: LibreLinkUp refuses the credentials of LibreView's app.
 */
export const createLibreviewPassword = (values: LibreviewValues): PasswordSupport => ({
  loginTimeoutMs,
  regions: [...contractRegions, 'jp', 'ru', 'cn'],
  form: [
    usernameField('E-mail address', 'email', hintOf(kindsOf(values))),
    passwordField,
    regionField(
      'Region',
      regionChoices.map(([value, label]) => ({ value, label })),
      'May be left out.',
    ),
  ],
  async login({ http, username: email, password, region, now }) {
    const [kind = 'follower', other] = kindsOf(values);
    const credentials = { email, password, now };
    const first = await logInAs(http, placeOf(region), { kind, ...credentials }, values);
    const isRefused = first.tried.standing.kind === 'refused';
    if (other === undefined || !(isRefused || followsNobody(first))) return first.outcome;
    const second = await logInAs(http, isRefused ? placeOf(region) : first.tried.place, { kind: other, ...credentials }, values);
    if (!isRefused) return second.outcome.kind === 'refused' ? first.outcome : second.outcome;
    return second.tried.standing.kind === 'refused' ? refusalOf(first.tried, 'LibreLinkUp as well as LibreView') : second.outcome;
  },
  completeMfa: async ({ http, ticket, code, now }) =>
    choosePatient(ticket, code) ?? respondToChallenge(asClient(http, kindOfTicket(ticket), values), ticket, code, now),
  async renew({ http: plain, renewal, account, now }) {
    const { email, password } = readRenewal(renewal, ['email', 'password']);
    const kind = isPatient(account) ? 'patient' : 'follower';
    const http = asClient(plain, kind, values);
    const home = typeof account['region'] === 'string' ? account['region'] : null;
    const token = kind === 'patient' ? tokenIn(renewal) : null;
    const renewed = token === null ? null : await renewByToken(http, { kind, email, password, place: home }, token, now);
    if (renewed !== null) return renewed;
    const { standing, place, response } = await logIn(http, home, { kind, email, password, now });
    switch (standing.kind) {
      case 'in':
        return { outcome: 'refreshed', tokens: tokensOf({ kind, email, password, place }, standing) };
      case 'refused':
        return refusedRenewal;
      case 'locked':
        return { outcome: 'unclear', retryable: true, retryAfterMs: standing.retryAfterMs, reason: 'account_locked' };
      case 'step':
        // Only the user can supply a code or a new password, by linking again.
        if (standing.step === '2faVerify') return endedRenewal('provider_credential_error');
        if (/password/i.test(standing.step)) return endedRenewal('provider_password_expired');
        return { outcome: 'unclear', retryable: true, retryAfterMs: waitForUserMs, reason: 'user_must_act' };
      case 'elsewhere':
      case 'unclear':
        return unclearRenewal(response);
    }
  },
});
