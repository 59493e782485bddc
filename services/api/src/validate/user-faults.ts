import { looksPersonal, type Team } from '@pulsewire/connections';
import type { ValidationError } from '@pulsewire/contract';
import { fieldError } from './validate-request.ts';

interface UserFields {
  readonly client_user_id?: string | null | undefined;
  readonly ingestion_start?: string | null | undefined;
  readonly ingestion_end?: string | null | undefined;
}

/** Both bounds as failing fields: either of them may be the wrong one. */
export function reversedBounds(start: string, end: string): readonly ValidationError[] {
  return [
    fieldError(['body', 'ingestion_start'], `Must not be after ingestion_end, ${end}`, start),
    fieldError(['body', 'ingestion_end'], `Must not be before ingestion_start, ${start}`, end),
  ];
}

/** Problems between valid fields of a user: an empty range of days, and a personal reference if the team refuses them. */
export function userFaults(team: Pick<Team, 'refusePersonalReferences'>, fields: UserFields): readonly ValidationError[] {
  const { client_user_id: reference, ingestion_start: start, ingestion_end: end } = fields;
  const isRefused = team.refusePersonalReferences && reference != null && looksPersonal(reference);
  const remedy = "Looks like an e-mail address or a telephone number; send a reference of your own, such as your database's id";
  return [
    ...(isRefused ? [fieldError(['body', 'client_user_id'], remedy, reference)] : []),
    ...(start != null && end != null && start > end ? reversedBounds(start, end) : []),
  ];
}

/** Header of a response to a request with such a reference that was accepted. */
export function referenceWarning({ client_user_id: reference }: UserFields): Readonly<Record<string, string>> {
  return reference != null && looksPersonal(reference) ? { 'x-pulsewire-warning': 'client_user_id_personal' } : {};
}
