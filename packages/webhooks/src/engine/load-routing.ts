import { errorCode, type Logger } from '@pulsewire/kernel';
import type { Cipher, Executor } from '@pulsewire/database';
import { openHeaders, openPreviousSecrets, openSecret } from '../endpoints/sealed.ts';
import type { Endpoint, TeamRoutes } from '../route.ts';
import { parseSecret, type SigningKey } from '../sign.ts';

interface Row {
  endpoint_id: string;
  team_id: string;
  url: string;
  filter_types: string[] | null;
  rate_limit: number | null;
  sends_svix_headers: boolean;
  secret: Buffer;
  previous_secrets: Buffer | null;
  headers: Buffer | null;
  is_failing: boolean;
  push_historical_data: boolean | null;
  contract_date: string | null;
}

export interface RoutingTable {
  readonly teams: ReadonlyMap<string, TeamRoutes>;
  readonly endpoints: ReadonlyMap<string, Endpoint>;
}

type OpenedParts = Pick<Endpoint, 'origin' | 'path' | 'keys' | 'headers' | 'isReadable'>;

const unreadable: OpenedParts = { origin: '', path: '', keys: [], headers: [], isReadable: false };

function openParts(row: Row, cipher: Cipher): OpenedParts {
  const endpointId = row.endpoint_id;
  const url = new URL(row.url);
  const keys: SigningKey[] = [
    { key: parseSecret(openSecret(cipher, endpointId, row.secret)), expiresAtMs: null },
    ...openPreviousSecrets(cipher, endpointId, row.previous_secrets).map(({ secret, expiresAtMs }) => ({
      key: parseSecret(secret),
      expiresAtMs,
    })),
  ];
  const headers = Object.entries(openHeaders(cipher, endpointId, row.headers)).flat();
  return { origin: url.origin, path: url.pathname + url.search, keys, headers, isReadable: true };
}

function toEndpoint(row: Row, cipher: Cipher, logger: Logger): Endpoint {
  let parts = unreadable;
  try {
    parts = openParts(row, cipher);
  } catch (error) {
    logger.error({ endpointId: row.endpoint_id, code: errorCode(error) }, 'endpoint.unreadable');
  }
  return {
    endpointId: row.endpoint_id,
    teamId: row.team_id,
    url: row.url,
    filterTypes: row.filter_types === null || row.filter_types.length === 0 ? null : new Set(row.filter_types),
    rateLimit: row.rate_limit,
    sendsSvixHeaders: row.sends_svix_headers,
    isFailing: row.is_failing,
    ...parts,
  };
}

/**
 * Enabled endpoints with their teams' switches, decrypted. An endpoint whose row cannot be opened is reported and stays in the
 * table as unreadable: left out, its events would be routed to nobody and be lost.
 */
export async function loadRouting({ sql }: Executor, cipher: Cipher, logger: Logger): Promise<RoutingTable> {
  const rows = await sql<Row[]>`
    SELECT e.endpoint_id, e.team_id, e.url, e.filter_types, e.rate_limit, e.sends_svix_headers, e.secret, e.previous_secrets, e.headers,
           e.failing_since IS NOT NULL AS is_failing, t.push_historical_data, t.contract_date
    FROM webhook_endpoints e LEFT JOIN teams t USING (team_id)
    WHERE NOT e.is_disabled ORDER BY e.created_at, e.endpoint_id`;
  const teams = new Map<string, TeamRoutes & { readonly endpoints: Endpoint[] }>();
  const endpoints = new Map<string, Endpoint>();
  for (const row of rows) {
    const endpoint = toEndpoint(row, cipher, logger);
    endpoints.set(endpoint.endpointId, endpoint);
    const team = teams.get(row.team_id);
    if (team) team.endpoints.push(endpoint);
    else {
      const pushesHistoricalData = row.push_historical_data ?? true;
      teams.set(row.team_id, { teamId: row.team_id, pushesHistoricalData, contractDate: row.contract_date, endpoints: [endpoint] });
    }
  }
  return { teams, endpoints };
}
