import type { ConfigOf, Environment } from '@pulsewire/runtime';
import type { dispatcherConfig } from './config.ts';

type Bounds = Pick<ConfigOf<typeof dispatcherConfig>, 'concurrency' | 'endpointConcurrency' | 'unrecordedEventsMax'>;

/**
 * The settings of each of several worker processes: bounds on attempts, sockets and events in memory hold for all of them together. The
 * events of a shard are delivered by one worker at a time, and an endpoint's events are spread over all shards, so each has an equal part.
 */
export function settingsOfWorkers(
  { concurrency, endpointConcurrency, unrecordedEventsMax }: Bounds,
  { count, connectionsMax }: { readonly count: number; readonly connectionsMax: number },
): Environment {
  const part = (bound: number, minimum = 1) => String(Math.max(minimum, Math.ceil(bound / count)));
  return {
    DATABASE_CONNECTIONS_MAX: String(connectionsMax),
    WEBHOOK_CONCURRENCY: part(concurrency),
    WEBHOOK_ENDPOINT_CONCURRENCY: part(endpointConcurrency),
    WEBHOOK_WINDOW_EVENTS: part(unrecordedEventsMax, 64),
  };
}
