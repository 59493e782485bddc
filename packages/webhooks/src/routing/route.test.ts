import { describe, expect, it } from 'vitest';
import { routeEvent, type Endpoint, type TeamRoutes } from './route.ts';
import { endpoint, logEvent } from '../testing/samples.ts';

const team = (endpoints: Endpoint[], fields: Partial<TeamRoutes> = {}): TeamRoutes => ({
  teamId: 't',
  pushesHistoricalData: true,
  contractDate: null,
  endpoints,
  ...fields,
});
const all = endpoint({ endpointId: 'all' });
const sleep = endpoint({ endpointId: 'sleep', filterTypes: new Set(['daily.data.sleep.created']) });
const operator = endpoint({ endpointId: 'operator', filterTypes: new Set(['message.attempt.exhausted']) });
const route = (routes: TeamRoutes | undefined, fields: Parameters<typeof logEvent>[0] = {}): string[] =>
  routeEvent(routes, logEvent(fields)).map(({ endpointId }) => endpointId);

describe('routeEvent', () => {
  it('routes an event to the endpoints with its exact type in their filter', () => {
    expect(route(team([all, sleep, operator]))).toEqual(['all']);
    expect(route(team([all, sleep, operator]), { eventType: 'daily.data.sleep.created' })).toEqual(['all', 'sleep']);
    expect(route(team([sleep]))).toEqual([]);
    expect(route(undefined)).toEqual([]);
  });

  it('routes operational events only to endpoints that name them', () => {
    expect(route(team([all, operator]), { eventType: 'message.attempt.exhausted', userId: null })).toEqual(['operator']);
    expect(route(team([all]), { eventType: 'endpoint.disabled', userId: null })).toEqual([]);
  });

  it('routes pipeline events to no endpoint', () => {
    for (const eventType of ['user.deleted', 'user.erased', 'provider.connection.removed', 'data.samples.removed'])
      expect(route(team([all, operator]), { eventType })).toEqual([]);
  });

  it('omits historical events when the team has disabled them', () => {
    expect(route(team([all]), { origin: 'historical' })).toEqual(['all']);
    expect(route(team([all], { pushesHistoricalData: false }), { origin: 'historical' })).toEqual([]);
    expect(route(team([all], { pushesHistoricalData: false }))).toEqual(['all']);
  });
});
