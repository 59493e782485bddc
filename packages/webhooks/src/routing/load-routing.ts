import { gt } from 'drizzle-orm';
import { errorCode, type Logger } from '@pulsewire/kernel';
import { plainArray, run, type Cipher, type Executor } from '@pulsewire/database';
import { openHeaders } from '../model/sealed.ts';
import { webhookEndpoints, webhookHiddenUsers } from '../model/tables.ts';
import type { Endpoint } from './route.ts';
import { scheduleOf } from '../model/time/retry-schedule.ts';
import { openSigningKeys } from '../signing/open-keys.ts';

interface Row {
  endpoint_id: string;
  team_id: string;
  url: string;
  filter_types: string[] | null;
  rate_limit: number | null;
  is_disabled: boolean;
  sends_svix_headers: boolean;
  ordering: 'none' | 'per_user';
  skip_superseded: boolean;
  retry_schedule: number[] | null;
  signature: 'v1' | 'v1a' | 'both';
  secret: Buffer;
  previous_secrets: Buffer | null;
  signing_key: Buffer | null;
  previous_signing_keys: Buffer | null;
  headers: Buffer | null;
  push_historical_data: boolean | null;
  contract_date: string | null;
}

/** A team's switches. */
export interface TeamSwitches {
  readonly teamId: string;
  readonly pushesHistoricalData: boolean;
  readonly contractDate: string | null;
}

/** The current state of an endpoint; null when it is disabled. */
export interface ChangedEndpoint {
  readonly endpointId: string;
  readonly endpoint: Endpoint | null;
  readonly team: TeamSwitches;
}

type OpenedParts = Pick<Endpoint, 'origin' | 'path' | 'keys' | 'headers' | 'isReadable'>;

const unreadable: OpenedParts = { origin: '', path: '', keys: [], headers: [], isReadable: false };

function openParts(row: Row, cipher: Cipher): OpenedParts {
  const endpointId = row.endpoint_id;
  const url = new URL(row.url);
  const keys = openSigningKeys(cipher, {
    endpointId,
    signature: row.signature,
    secret: row.secret,
    previousSecrets: row.previous_secrets,
    signingKey: row.signing_key,
    previousSigningKeys: row.previous_signing_keys,
  });
  const headers = Object.entries(openHeaders(cipher, endpointId, row.headers)).flat();
  return { origin: url.origin, path: url.pathname + url.search, keys, headers, isReadable: true };
}

function toEndpoint(row: Row, cipher: Cipher, logger: Logger): Endpoint {
  let parts = unreadable;
  try {
    parts = openParts(row, cipher);
  } catch (error) {
    logger.error({ endpointId: row.endpoint_id, errorCode: errorCode(error) }, 'endpoint.unreadable');
  }
  return {
    endpointId: row.endpoint_id,
    teamId: row.team_id,
    url: row.url,
    filterTypes: row.filter_types === null || row.filter_types.length === 0 ? null : new Set(row.filter_types),
    rateLimit: row.rate_limit,
    ordering: row.ordering,
    skipsSuperseded: row.skip_superseded,
    scheduleMs: scheduleOf(row.retry_schedule),
    sendsSvixHeaders: row.sends_svix_headers,
    ...parts,
  };
}

/**
 * Reads and decrypts the endpoints that changed after a routing version (-1: all), with their teams' switches. An endpoint whose row cannot
 * be decrypted is logged and returned as unreadable; if it were left out, its events would be lost.
 */
export async function loadEndpoints(
  { sql }: Executor,
  afterVersion: string,
  cipher: Cipher,
  logger: Logger,
): Promise<readonly ChangedEndpoint[]> {
  const rows = await sql<Row[]>`
    SELECT e.endpoint_id, e.team_id, e.url, e.filter_types, e.rate_limit, e.is_disabled, e.sends_svix_headers, e.ordering, e.skip_superseded,
           e.retry_schedule, e.signature, e.secret, e.previous_secrets, e.signing_key, e.previous_signing_keys, e.headers,
           t.push_historical_data, t.contract_date
    FROM webhook_endpoints e LEFT JOIN teams t USING (team_id)
    WHERE e.config_version > ${afterVersion}::bigint ORDER BY e.created_at, e.endpoint_id`;
  return rows.map((row) => ({
    endpointId: row.endpoint_id,
    endpoint: row.is_disabled ? null : toEndpoint(row, cipher, logger),
    team: { teamId: row.team_id, pushesHistoricalData: row.push_historical_data ?? true, contractDate: row.contract_date },
  }));
}

/** The switches of these teams. */
export async function loadTeams({ sql }: Executor, teamIds: readonly string[]): Promise<readonly TeamSwitches[]> {
  const rows = await sql<{ team_id: string; push_historical_data: boolean; contract_date: string | null }[]>`
    SELECT team_id, push_historical_data, contract_date FROM teams WHERE team_id = ANY(${plainArray(teamIds)}::uuid[])`;
  return rows.map((row) => ({ teamId: row.team_id, pushesHistoricalData: row.push_historical_data, contractDate: row.contract_date }));
}

/** Users who were deleted, or whose deletion was undone, after a routing version (-1: all deleted users). */
export async function loadHiddenUsers({ orm }: Executor, afterVersion: string): Promise<ReadonlyMap<string, boolean>> {
  const { userId, isHidden, configVersion } = webhookHiddenUsers;
  const rows = await run(
    orm
      .select({ userId, isHidden })
      .from(webhookHiddenUsers)
      .where(gt(configVersion, BigInt(afterVersion))),
  );
  return new Map(rows.map((row) => [row.userId, row.isHidden]));
}

/** The ids of all endpoints. */
export async function loadEndpointIds({ orm }: Executor): Promise<ReadonlySet<string>> {
  const rows = await run(orm.select({ endpointId: webhookEndpoints.endpointId }).from(webhookEndpoints));
  return new Set(rows.map(({ endpointId }) => endpointId));
}
