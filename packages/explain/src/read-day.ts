import { listConnections, type Connection, type User } from '@pulsewire/connections';
import {
  readCoverage,
  readSchedules,
  readResponsesOfDay,
  readSetAside,
  type CoveredWindow,
  type KeptResponses,
  type ScheduleState,
  type SetAside,
  type VaultReader,
} from '@pulsewire/ingest';
import { findConnector, resourceAvailability, type Connector, type ResourceAvailability } from '@pulsewire/providers';
import { readStoredDay, type StoredDay } from '@pulsewire/store';
import { traceDeliveries, traceEvents, type DeliveryTrace, type Trace } from '@pulsewire/webhooks';

/** What is needed to read a history. */
export interface ExplainContext extends VaultReader {
  /** The connectors of this installation; otherwise, those of this release. */
  readonly connectorFor?: ((slug: string) => Connector | undefined) | undefined;
}

export interface ExplainedConnection {
  readonly connection: Connection;
  readonly plan: ScheduleState | undefined;
  /** null: the provider does not supply the resource. */
  readonly availability: ResourceAvailability | null;
}

/** The full history of one resource of a user on one day. */
export interface DayHistory {
  readonly user: User;
  readonly resource: string;
  readonly day: string;
  readonly connections: readonly ExplainedConnection[];
  readonly windows: readonly CoveredWindow[];
  readonly responses: readonly KeptResponses[];
  readonly setAside: readonly SetAside[];
  readonly stored: StoredDay;
  readonly trace: Trace;
  readonly deliveries: ReadonlyMap<string, readonly DeliveryTrace[]>;
}

/** The newest events whose deliveries are looked up. */
const deliveriesMax = 200;

function explain(
  connection: Connection,
  { connectorFor }: ExplainContext,
  plan: ScheduleState | undefined,
  resource: string,
): ExplainedConnection {
  const connector = connectorFor?.(connection.provider) ?? findConnector(connection.provider);
  const all = connector && resourceAvailability(connector, connection.grantedScopes, connection.deniedScopes);
  return { connection, plan, availability: all?.[resource] ?? null };
}

/** Versions by which responses outside of the day's windows, such as a later push, are found. */
function versionsOf({ summaries, samples }: StoredDay): readonly bigint[] {
  return [...summaries.map(({ version }) => version), ...samples.flatMap((one) => [one.oldestVersion, one.newestVersion])];
}

/** Collects the history of a day. */
export async function readDay(context: ExplainContext, user: User, resource: string, day: string): Promise<DayHistory> {
  const { database, cipher } = context;
  const { teamId, userId } = user;
  const plans = await readSchedules(database, { teamId, userId });
  const connections = await listConnections(database, teamId, [userId]);
  const covered = await readCoverage(database, { teamId, userId, day });
  // Pushed data contains the name of its collection, not of its resources.
  const windows = covered.filter(({ resources }) => resources.length === 0 || resources.includes(resource));
  const stored = await readStoredDay(database, { teamId, userId, resource, day });
  const pulls = [...new Set(windows.map(({ pull }) => pull))];
  const responses = await readResponsesOfDay({ database, cipher }, { teamId, userId, day, pulls, versions: versionsOf(stored) });
  const setAside = await readSetAside(database, { teamId, userId, windowIds: windows.map(({ windowId }) => windowId) });
  const pushed = new Set(windows.filter(({ resources }) => resources.length === 0).map(({ windowId }) => windowId));
  const recordIds = stored.summaries.map(({ id }) => id);
  const trace = await traceEvents(database, { teamId, userId, resource, day, recordIds });
  const headers = trace.events.slice(-deliveriesMax).map(({ header }) => header);
  return {
    user,
    resource,
    day,
    connections: connections.map((one) => explain(one, context, plans.get(one.connectionId), resource)),
    windows,
    responses,
    setAside: setAside.filter((one) => one.resource === resource || pushed.has(one.windowId)),
    stored,
    trace,
    deliveries: await traceDeliveries(database, teamId, headers),
  };
}
