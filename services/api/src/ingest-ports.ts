import { listApplications, type LinkContext, type ProviderSettings } from '@pulsewire/connections';
import type { Cipher, Database } from '@pulsewire/database';
import { dropPlan, onPush, openJobs, planConnection } from '@pulsewire/ingest';
import type { Clock, Logger, Metrics } from '@pulsewire/kernel';
import type { RawRequest } from './http/raw-request.ts';
import type { ReceivePush } from './push.ts';

interface IngestPartsNeeded {
  readonly database: Database;
  readonly cipher: Cipher;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly providers: ProviderSettings;
}

export interface IngestPorts {
  readonly onConnected: NonNullable<LinkContext['onConnected']>;
  readonly onDeregistered: NonNullable<LinkContext['onDeregistered']>;
  readonly receivePush: ReceivePush;
  close(): Promise<void>;
}

function singleQuery(query: RawRequest['query']): Record<string, string> {
  return Object.fromEntries(Object.entries(query).map(([key, value]) => [key, Array.isArray(value) ? (value.at(-1) ?? '') : value]));
}

/** What linking and pushes ask of ingest: plans are made and dropped in the caller's transaction, pushes are kept before they are answered. */
export async function openIngestPorts(parts: IngestPartsNeeded): Promise<IngestPorts> {
  const { database, providers } = parts;
  const jobs = await openJobs(database);
  const planning = { jobs, connectorFor: providers.connectorFor, clock: parts.clock, random: Math.random };
  const secretsFor = async (provider: string) => {
    const platform = providers.platformApplication(provider);
    const own = await listApplications(database, parts, provider);
    return {
      applications: platform ? [{ ...platform, teamId: null }, ...own] : own,
      verificationCode: providers.pushVerificationCode(provider),
    };
  };
  return {
    onConnected: (tx, connection) => planConnection(planning, tx, connection.connectionId),
    onDeregistered: (tx, connection) => dropPlan(tx, connection.connectionId),
    receivePush: (connector, request) =>
      onPush({ ...parts, jobs, secretsFor }, connector, { ...request, query: singleQuery(request.query) }),
    close: () => jobs.close(),
  };
}
