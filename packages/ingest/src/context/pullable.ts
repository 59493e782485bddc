import { connectionForPull, type PullConnection } from '@pulsewire/connections';
import type { Executor } from '@pulsewire/database';
import type { OffsetOrigin } from '@pulsewire/contract';
import { zoneOrigin, type Connector, type PullUser } from '@pulsewire/providers';
import type { RawCipher } from '@pulsewire/store';
import type { PlanContext } from './context.ts';

export interface Pullable {
  readonly connection: PullConnection;
  readonly connector: Connector;
}

/** The connection with its connector, or null while it must not be pulled: removed, paused, in error, or its provider is not served. */
export function pullableOf({ connectorFor }: Pick<PlanContext, 'connectorFor'>, connection: PullConnection | null): Pullable | null {
  if (connection?.status !== 'connected') return null;
  const connector = connectorFor(connection.provider);
  return connector ? { connection, connector } : null;
}

/** Loads the connection first. */
export async function findPullable(
  context: Pick<PlanContext, 'connectorFor'>,
  executor: Executor,
  connectionId: string,
): Promise<Pullable | null> {
  return pullableOf(context, await connectionForPull(executor, connectionId));
}

/** The facts about the user that pulls and mappers receive. */
export function pullUserOf(connection: Omit<PullConnection, 'clientUserId' | 'ingestionStart' | 'ingestionEnd' | 'keepsRaw'>): PullUser {
  const { userId, fallbackTimeZone, fallbackBirthDate: birthDate, providerUserId, grantedScopes, account } = connection;
  return { userId, fallbackTimeZone, birthDate, providerUserId: providerUserId ?? '', grantedScopes, account };
}

/** The origin of the offsets of a connection's records that do not name it themselves. */
export function offsetsFromOf({ connection, connector }: OffsetFacts): OffsetOrigin {
  return connector.offsetsFrom === 'zone' ? zoneOrigin(connection.account, connection.fallbackTimeZone) : 'value';
}

/** What seals the raw forms of a connection's records; undefined when its team has raw data disabled. */
export function rawCipherOf(
  { cipher }: { readonly cipher: RawCipher },
  { keepsRaw }: Pick<PullConnection, 'keepsRaw'>,
): RawCipher | undefined {
  return keepsRaw ? cipher : undefined;
}

interface OffsetFacts {
  readonly connector: Pick<Connector, 'offsetsFrom'>;
  readonly connection: Pick<PullConnection, 'account' | 'fallbackTimeZone'>;
}
