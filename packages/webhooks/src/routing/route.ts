import { isInAllTypes } from '@pulsewire/contract';
import type { EventOrigin } from '@pulsewire/eventlog';
import type { SigningKey } from '../signing/sign.ts';

/** An endpoint in the form used by deliveries: decrypted, parsed, immutable. */
export interface Endpoint {
  readonly endpointId: string;
  readonly teamId: string;
  readonly url: string;
  /** The parts of the URL for a request. */
  readonly origin: string;
  readonly path: string;
  /** Exact event types; null means all but the operational ones. */
  readonly filterTypes: ReadonlySet<string> | null;
  /** Messages per second over all dispatchers, or null. */
  readonly rateLimit: number | null;
  readonly ordering: 'none' | 'per_user';
  readonly skipsSuperseded: boolean;
  /** Milliseconds before each attempt; undefined: the default. */
  readonly scheduleMs: readonly number[] | undefined;
  readonly keys: readonly SigningKey[];
  /** False: its row could not be opened, so it has no keys and no headers. Its events wait; nothing is sent. */
  readonly isReadable: boolean;
  readonly sendsSvixHeaders: boolean;
  /** The team's own headers, names and values in turn. */
  readonly headers: readonly string[];
}

/** Routing data of a team, without disabled endpoints. */
export interface TeamRoutes {
  readonly teamId: string;
  readonly pushesHistoricalData: boolean;
  /** The contract date, which selects deprecations (`YYYY-MM-DD`); null: today. */
  readonly contractDate: string | null;
  readonly endpoints: readonly Endpoint[];
}

const nobody: readonly Endpoint[] = [];

/** Whether an endpoint receives this type: operational types only when its filter names them, pipeline types never. */
export function takesType(endpoint: Endpoint, eventType: string): boolean {
  if (endpoint.filterTypes !== null) return endpoint.filterTypes.has(eventType);
  return isInAllTypes(eventType);
}

/** The endpoints that receive an event of a team. */
export function routeEvent(
  team: TeamRoutes | undefined,
  event: { readonly eventType: string; readonly origin: EventOrigin },
): readonly Endpoint[] {
  if (team === undefined || (event.origin === 'historical' && !team.pushesHistoricalData)) return nobody;
  const { endpoints } = team;
  const [only] = endpoints;
  if (endpoints.length === 1 && only !== undefined) return takesType(only, event.eventType) ? endpoints : nobody;
  return endpoints.filter((endpoint) => takesType(endpoint, event.eventType));
}
