import { dayMs } from '@pulsewire/kernel';
import { classifyByStatus } from '../kit/connector-defaults.ts';
import { JsonNode } from '../kit/values/json-node.ts';
import type { JudgedResponse, ProviderVerdict, QuotaState } from '../kit/types/connector.ts';

type Headers = Readonly<Record<string, string | undefined>>;

const quarterMs = 15 * 60_000;

function readPair(headers: Headers, name: string): readonly [number, number] | undefined {
  const match = /^\s*(\d{1,9})\s*,\s*(\d{1,9})\s*$/.exec(headers[name] ?? '');
  return match === null ? undefined : [Number(match[1]), Number(match[2])];
}

/** Both limits of a kind, such as `100,1000`: for the current quarter of an hour and for the current UTC day. */
function readKind(headers: Headers, kind: string, now: Date): QuotaState[] {
  const limits = readPair(headers, `x-${kind}-limit`);
  const used = readPair(headers, `x-${kind}-usage`);
  if (limits === undefined || used === undefined) return [];
  const state = (index: 0 | 1, windowMs: number): QuotaState => ({
    scope: 'app',
    perMs: windowMs,
    limit: limits[index],
    remaining: Math.max(0, limits[index] - used[index]),
    resetAfterMs: windowMs - (now.getTime() % windowMs),
    isEstimated: true,
  });
  return [state(0, quarterMs), state(1, dayMs)];
}

/** Strava's own counts for the whole application: of all requests, and of those that read. */
export function readStravaQuotas(headers: Headers, now: Date): readonly QuotaState[] {
  return [...readKind(headers, 'ratelimit', now), ...readKind(headers, 'readratelimit', now)];
}

function firstError(body: unknown): JsonNode {
  const errors = new JsonNode(body).at('errors').value;
  return new JsonNode(Array.isArray(errors) ? errors[0] : undefined);
}

/**
 * 401 may be an expired token or a withdrawn consent: the refresh that follows distinguishes the two. 403 is a missing scope, or an
 * application that is inactive until its owner subscribes again.
 */
export function classifyStrava(response: JudgedResponse): ProviderVerdict {
  if (response.status !== 403) return classifyByStatus(response);
  const isApplication = firstError(response.body).at('resource').value === 'Application';
  return isApplication
    ? { code: 'provider_configuration', details: { reason: 'application_inactive' } }
    : { code: 'provider_scope_missing' };
}

/** Strava names what it rejected, which distinguishes an invalid code or refresh token from a wrong application. */
export function readStravaTokenError({ status, body }: { readonly status: number; readonly body: unknown }): string | null {
  const first = firstError(body);
  const [resource, code] = [first.at('resource').value, first.at('code').value];
  if (status < 400 || status > 499 || code !== 'invalid') return null;
  if (resource === 'RefreshToken' || resource === 'AuthorizationCode') return 'invalid_grant';
  return resource === 'Application' ? 'invalid_client' : null;
}
