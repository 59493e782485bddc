import { isIP } from 'node:net';
import { isEventType, type CreateWebhookBody } from '@pulsewire/contract';
import { AppError, isAppError, type ErrorCode } from '@pulsewire/kernel';
import { isPortAllowed, type AddressGuard } from '@pulsewire/outbound';
import { contractScheduleMs, jitterShare } from './time/retry-schedule.ts';

const urlLengthMax = 2048;
const filterTypesMax = 500;
/** Names that a name server may know; others would fail at every attempt. */
const hostForm = /^(?=.{1,253}\.?$)(?!-)[\w-]{1,63}(?<!-)(?:\.(?!-)[\w-]{1,63}(?<!-))*\.?$/;

function refuse(code: ErrorCode, field: string, message: string): AppError {
  return new AppError({ code, kind: 'invalid', message, details: { field } });
}

/**
 * An endpoint's URL: https, or http where it is allowed; no credentials, no forbidden literal address or port. Throws AppError
 * `endpoint_url_refused`.
 */
export function checkUrl(
  text: string,
  { guard, httpsOnly = false }: { readonly guard?: AddressGuard; readonly httpsOnly?: boolean },
): string {
  const url = text.length <= urlLengthMax && URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !['http:', 'https:'].includes(url.protocol))
    throw refuse('endpoint_url_refused', 'url', 'The URL must be an http or https URL');
  if (httpsOnly && url.protocol !== 'https:')
    throw refuse('endpoint_url_refused', 'url', 'The URL of a production team must be https, because events contain health data');
  if (url.username !== '' || url.password !== '')
    throw refuse('endpoint_url_refused', 'url', 'The URL must not contain credentials; use a custom header of the endpoint instead');
  const host = url.hostname.startsWith('[') ? url.hostname.slice(1, -1) : url.hostname;
  if (isIP(host) === 0 && !hostForm.test(host))
    throw refuse(
      'endpoint_url_refused',
      'url',
      'The URL has a host name that cannot exist: its parts have 1 to 63 characters and no dash at an end',
    );
  if (guard !== undefined && isIP(host) !== 0 && !guard.allows(host))
    throw refuse('endpoint_url_refused', 'url', 'The URL points to a forbidden address');
  if (!isPortAllowed(url.port)) throw refuse('endpoint_url_refused', 'url', 'The URL has a port that is reserved for another protocol');
  url.hash = '';
  return url.href;
}

/** Returns the exact event types, null for all; an empty list also means all. Throws AppError `event_type_unknown`. */
export function checkFilterTypes(types: readonly string[] | null | undefined): string[] | null {
  if (types === null || types === undefined || types.length === 0) return null;
  const unique = [...new Set(types)];
  if (unique.length > filterTypesMax || !unique.every(isEventType))
    throw refuse('event_type_unknown', 'filter_types', 'Every entry must be an event type that exists');
  return unique;
}

/** Eight attempts; the first has no wait. */
const contractSchedule: readonly number[] = contractScheduleMs.slice(1).map((ms) => ms / 1000);
const scheduleMax = 20;
const daySeconds = 86_400;
const waitSecondsMax = 604_800;

/**
 * Seconds before attempt 2, 3, …; null: the default. Throws AppError `schedule_invalid`, also when it lasts longer than the `keptDays` for
 * which events are kept, because its last attempts would have nothing to send.
 */
export function checkSchedule(schedule: CreateWebhookBody['schedule'], { keptDays }: { readonly keptDays?: number }): number[] | null {
  if (schedule === null || schedule === undefined) return null;
  if (schedule === 'contract') return [...contractSchedule];
  const isWait = (seconds: number): boolean => Number.isInteger(seconds) && seconds >= 1 && seconds <= waitSecondsMax;
  if (!Array.isArray(schedule) || schedule.length < 1 || schedule.length > scheduleMax || !schedule.every(isWait))
    throw refuse('schedule_invalid', 'schedule', 'A schedule must have 1 to 20 waits of 1 to 604,800 seconds');
  const days = (schedule.reduce((sum, seconds) => sum + seconds, 0) * (1 + jitterShare)) / daySeconds;
  if (keptDays !== undefined && days > keptDays)
    throw refuse(
      'schedule_invalid',
      'schedule',
      `The waits of this schedule may last ${Math.ceil(days)} days, and events are kept for ${keptDays} days`,
    );
  return schedule;
}

/** Throws AppError `skip_superseded_refused` without ordering, where no delivery waits behind another. */
export function checkSkipSuperseded(ordering: 'none' | 'per_user', skips: boolean): boolean {
  if (skips && ordering !== 'per_user')
    throw refuse('skip_superseded_refused', 'skip_superseded', 'skip_superseded requires the ordering per_user');
  return skips;
}

/**
 * Runs every check. Rethrows a single AppError; combines several into one AppError `endpoint_refused` with all of them in
 * `details.refusals`.
 */
export function allChecks<const Checks extends Readonly<Record<string, () => unknown>>>(
  checks: Checks,
): { readonly [Key in keyof Checks]: ReturnType<Checks[Key]> } {
  const results: Record<string, unknown> = {};
  const refusals: AppError[] = [];
  for (const [key, check] of Object.entries(checks)) {
    try {
      results[key] = check();
    } catch (error) {
      if (!isAppError(error)) throw error;
      refusals.push(error);
    }
  }
  if (refusals.length === 1) throw refusals[0] as AppError;
  if (refusals.length > 1)
    throw new AppError({ code: 'endpoint_refused', kind: 'invalid', message: 'Several fields are invalid', details: { refusals } });
  return results as { readonly [Key in keyof Checks]: ReturnType<Checks[Key]> };
}

const headerName = /^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,128}$/;
// Visible characters, spaces and tabs; no line breaks.
const headerValue = /^[\t\x20-\x7e\x80-\xff]{0,4096}$/;
const reserved =
  /^(host|content-.*|transfer-encoding|connection|keep-alive|proxy-.*|te|trailer|upgrade|expect|user-agent|traceparent|webhook-.*|svix-.*)$/i;
const headersMax = 50;

/**
 * Checks the team's custom headers. Throws AppError `header_refused` for names that we or the protocol use, and for values with line
 * breaks.
 */
export function checkHeaders(headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const names = Object.keys(headers);
  const unique = new Set(names.map((name) => name.toLowerCase()));
  if (names.length > headersMax || unique.size !== names.length)
    throw refuse('header_refused', 'headers', 'There are too many headers, or a name appears twice');
  for (const [name, value] of Object.entries(headers)) {
    if (!headerName.test(name) || !headerValue.test(value))
      throw refuse('header_refused', 'headers', 'A header name or value is not valid');
    if (reserved.test(name)) throw refuse('header_refused', 'headers', 'A header with this name is set by the service');
  }
  return headers;
}
