import { randomBase62 } from '@pulsewire/kernel';
import type { SimAccount } from '../kit/accounts/accounts.ts';
import type { ApiCall, SimulatorParts } from '../kit/definition/definition.ts';
import { Refusal } from '../kit/parts/refusal.ts';

/** Of the practice: one login reads for all of its patients. */
interface Ticket {
  readonly clientId: string;
}

/** A report that is being made. */
export interface Channel {
  readonly name: string;
  readonly startMs: number;
  readonly endMs: number;
  /** Opens the finished page. */
  readonly session: string;
  readonly polls: number;
}

const ticketKey = (token: string) => `ticket ${token}`;
const seatKey = (token: string, name: string) => `seat ${token} ${name}`;
const channelKey = (id: string) => `channel ${id}`;

/** A token of the practice. */
export function issueTicket({ memory }: SimulatorParts, clientId: string): string {
  const token = randomBase62(48);
  memory.set(ticketKey(token), { clientId } satisfies Ticket);
  return token;
}

/**
 * The token of the kit behind a ticket and one patient: patients' tokens end and expire one by one. Made when the practice reads a
 * patient for the first time; null for a ticket that nobody issued.
 */
function seatOf({ memory, grants, save }: SimulatorParts, token: string, account: SimAccount): string | null {
  const ticket = memory.get(ticketKey(token)) as Ticket | undefined;
  if (ticket === undefined) return null;
  const known = memory.get(seatKey(token, account.name)) as string | undefined;
  if (known !== undefined) return known;
  const { accessToken } = grants.grant({ clientId: ticket.clientId, providerUserId: account.providerUserId, scopes: [] });
  memory.set(seatKey(token, account.name), accessToken);
  save();
  return accessToken;
}

export function keepChannel({ memory }: SimulatorParts, id: string, channel: Channel): void {
  memory.set(channelKey(id), channel);
}

export function channelOf({ memory }: SimulatorParts, id: string | undefined): Channel | undefined {
  return memory.get(channelKey(id ?? '')) as Channel | undefined;
}

/** Whom a call is about: named in its path or body, or the one of the report that it asks for. */
function patientOf({ parts, params, json }: ApiCall): SimAccount | undefined {
  const channel = channelOf(parts, params['channel']);
  if (channel) return parts.accounts.byName(channel.name);
  const named = typeof json === 'object' && json !== null && 'PatientId' in json ? json.PatientId : undefined;
  return parts.accounts.byProviderUserId(params['patient'] ?? (typeof named === 'string' ? named : ''));
}

/** For the kit: the token of the patient whom a call of the practice is about. A practice sees its own patients alone. */
export function readSeat(call: ApiCall): string | null {
  const token = /^Bearer (\S+)$/i.exec(String(call.headers['authorization'] ?? ''))?.[1] ?? '';
  if (!call.parts.memory.has(ticketKey(token))) return null;
  const account = patientOf(call);
  if (!account) throw new Refusal('not_found', 'No such patient');
  return seatOf(call.parts, token, account);
}
