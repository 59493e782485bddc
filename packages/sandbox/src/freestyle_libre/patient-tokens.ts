import { randomBase62 } from '@pulsewire/kernel';
import type { SimAccount } from '../kit/accounts/accounts.ts';
import type { ApiCall, SimulatorParts } from '../kit/definition/definition.ts';
import { RefusalError } from '../kit/parts/refusal.ts';

/** A login of the practice, which reads data of all its patients. */
interface PracticeLogin {
  readonly clientId: string;
}

/** A report that is being created. */
export interface Channel {
  readonly name: string;
  readonly startMs: number;
  readonly endMs: number;
  /** Opens the finished page. */
  readonly session: string;
  readonly polls: number;
}

const loginKey = (token: string) => `ticket ${token}`;
const patientTokenKey = (token: string, name: string) => `seat ${token} ${name}`;
const channelKey = (id: string) => `channel ${id}`;

/** A token of the practice. */
export function issuePracticeToken({ memory }: SimulatorParts, clientId: string): string {
  const token = randomBase62(48);
  memory.set(loginKey(token), { clientId } satisfies PracticeLogin);
  return token;
}

/**
 * The kit's token for one login of the practice and one patient, because consents end and tokens expire per patient. Created when the
 * practice first reads the patient; null for an unknown login.
 */
function patientTokenOf({ memory, grants, save }: SimulatorParts, token: string, account: SimAccount): string | null {
  const login = memory.get(loginKey(token)) as PracticeLogin | undefined;
  if (login === undefined) return null;
  const known = memory.get(patientTokenKey(token, account.name)) as string | undefined;
  if (known !== undefined) return known;
  const { accessToken } = grants.grant({ clientId: login.clientId, providerUserId: account.providerUserId, scopes: [] });
  memory.set(patientTokenKey(token, account.name), accessToken);
  save();
  return accessToken;
}

export function keepChannel({ memory }: SimulatorParts, id: string, channel: Channel): void {
  memory.set(channelKey(id), channel);
}

export function channelOf({ memory }: SimulatorParts, id: string | undefined): Channel | undefined {
  return memory.get(channelKey(id ?? '')) as Channel | undefined;
}

/** The patient of a call: named in its path or body, or that of the requested report. */
function patientOf({ parts, params, json }: ApiCall): SimAccount | undefined {
  const channel = channelOf(parts, params['channel']);
  if (channel) return parts.accounts.byName(channel.name);
  const named = typeof json === 'object' && json !== null && 'PatientId' in json ? json.PatientId : undefined;
  return parts.accounts.byProviderUserId(params['patient'] ?? (typeof named === 'string' ? named : ''));
}

/** For the kit: the token of the patient of a practice's call. A practice sees only its own patients. */
export function readPatientToken(call: ApiCall): string | null {
  const token = /^Bearer (\S+)$/i.exec(String(call.headers['authorization'] ?? ''))?.[1] ?? '';
  if (!call.parts.memory.has(loginKey(token))) return null;
  const account = patientOf(call);
  if (!account) throw new RefusalError('not_found', 'No such patient');
  return patientTokenOf(call.parts, token, account);
}
