import type { ConnectionCreated, ConnectionFailed, Device } from '../events/connection-events.ts';
import type { HistoricalPullCompleted, WorkoutStreamStored } from '../events/data-events.ts';
import type { AttemptsExhausted, EndpointDisabled, EndpointEnabled, EndpointFailing } from '../events/delivery-events.ts';
import { renderSource } from '../render/source.ts';
import { exampleIds } from './example-ids.ts';

const endpointId = '019b8f00-0000-7000-8000-0000000000e1';
const granted = { required: ['sleep'], optional: [] };
const nothing = { required: [], optional: [] };

const connectionCreated: ConnectionCreated = {
  user_id: exampleIds.user,
  provider: { name: 'Fitbit', slug: 'fitbit', logo: 'https://assets.example/fitbit.png' },
  external_user_id: 'ABC123',
  resource_availability: { sleep: { status: 'available', scope_requirements: { user_granted: granted, user_denied: nothing } } },
};

const connectionFailed: ConnectionFailed = {
  user_id: exampleIds.user,
  provider: 'fitbit',
  error_type: 'token_refresh_failed',
  message: 'The connection stopped working. Ask the person to connect again.',
  error_details: 'The token endpoint answered 400 invalid_grant.',
};

const device: Device = {
  id: exampleIds.device,
  user_id: exampleIds.user,
  provider: 'fitbit',
  source_type: 'scale',
  app_id: null,
  device_manufacturer: 'Fitbit',
  device_model: 'Aria',
  device_version: '1.0',
  device_id: 'F-31',
};

const historicalPull: HistoricalPullCompleted = {
  user_id: exampleIds.user,
  start_date: '2025-10-06T00:00:00+00:00',
  end_date: '2026-01-04T09:00:00+00:00',
  provider: 'fitbit',
};

const workoutStream: WorkoutStreamStored = {
  user_id: exampleIds.user,
  workout_id: exampleIds.summary,
  provider_id: '9297103021',
  message: `The stream is stored. Read it at /v2/timeseries/workouts/${exampleIds.summary}/stream`,
  sport: { id: 1, name: 'Running', slug: 'running' },
  source: renderSource({ provider: 'garmin', type: 'watch' }),
};

const exhausted: AttemptsExhausted = {
  endpoint_id: endpointId,
  message_id: 'msg_01K8ZQ3V5T7X9B1D3F5H7J9L1N3',
  event_type: 'daily.data.steps.created',
  attempts: 8,
  last_status: 503,
  last_attempt_at: '2026-01-05T13:35:05+00:00',
};

const failing: EndpointFailing = {
  endpoint_id: endpointId,
  failing_since: '2026-01-04T10:00:00+00:00',
  last_status: null,
  last_attempt_at: '2026-01-04T22:15:00+00:00',
};

const disabled: EndpointDisabled = {
  endpoint_id: endpointId,
  reason: 'failing',
  failing_since: '2026-01-04T10:00:00+00:00',
  last_status: null,
  last_attempt_at: '2026-01-09T10:05:00+00:00',
};

const enabled: EndpointEnabled = {
  endpoint_id: endpointId,
  enabled_at: '2026-01-09T11:00:00+00:00',
  missed_since: '2026-01-04T10:00:00+00:00',
};

/** `data` of every event family that no summary and no series makes, by the family's name. */
export const lifecycleExamples: Readonly<Record<string, object>> = {
  'daily.data.workout_stream': workoutStream,
  'historical.data': historicalPull,
  'historical.timeseries': historicalPull,
  'provider.connection.created': connectionCreated,
  'provider.connection.error': connectionFailed,
  'provider.device': device,
  'message.attempt.exhausted': exhausted,
  'endpoint.failing': failing,
  'endpoint.disabled': disabled,
  'endpoint.enabled': enabled,
};
