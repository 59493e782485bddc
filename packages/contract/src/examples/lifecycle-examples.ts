import type { ConnectionCreated, ConnectionFailed, Device } from '../events/connection-events.ts';
import type { HistoricalPullCompleted, WorkoutStreamStored } from '../events/data-events.ts';
import type { AttemptsExhausted, EndpointDisabled, EndpointEnabled, EndpointFailing } from '../events/delivery-events.ts';
import type { ParsingJob } from '../labs/parsing-job.ts';
import type { CriticalResult } from '../labs/results.ts';
import type { OrderTracking } from '../labs/order-tracking.ts';
import type { MatchReview } from '../labs/unmatched-results.ts';
import { renderSource } from '../render/source.ts';
import { exampleIds } from './example-ids.ts';
import { appointmentExample } from './appointment-example.ts';
import { orderExample } from './order-example.ts';

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

const criticalResult: CriticalResult = {
  order_id: orderExample.id,
  sample_id: 'SIM-019B8F00-0000',
  status: 'final',
  interpretation: 'critical',
  team_id: exampleIds.team,
  user_id: exampleIds.user,
  created_at: '2026-01-08T15:00:00+00:00',
  updated_at: '2026-01-08T15:01:00+00:00',
};

const orderTracking: OrderTracking = {
  order_id: orderExample.id,
  user_id: exampleIds.user,
  team_id: exampleIds.team,
  status: 'incomplete',
  collected_on: '2026-01-06',
  expected_result_by_date: '2026-01-08',
  worst_case_result_by_date: '2026-01-11',
  markers: [
    {
      marker_id: 1481,
      name: 'Comprehensive Metabolic Panel',
      slug: 'comprehensive-metabolic-panel',
      provider_id: '322000',
      status: 'incomplete',
      expected_results: 17,
      resulted: 16,
      not_measured: 0,
    },
  ],
  updated_at: '2026-01-07T15:00:00+00:00',
};

const matchReview: MatchReview = {
  id: '019b8f00-0000-7000-8000-0000000000b8',
  status: 'pending_customer_review',
  decision_code: 'match_demo',
  sub_reason_codes: [],
  resolution_action: null,
  resolved_user_id: null,
  resolved_order_id: null,
};

const parsingJob: ParsingJob = {
  id: exampleIds.summary,
  job_id: exampleIds.summary,
  status: 'completed',
  failure_reason: null,
  data: {
    metadata: {
      patient_first_name: 'JANE',
      patient_last_name: 'DOE',
      dob: '02/01/1990',
      gender: 'female',
      lab_name: 'Example Diagnostics',
      date_reported: '01/03/2026',
      date_collected: '01/02/2026',
      specimen_number: 'SP-9931',
    },
    results: [
      {
        test_name: 'Glucose',
        value: '90',
        sample_type: 'serum_plasma_blood',
        measurement_kind: 'direct',
        type: 'numeric',
        units: 'mg/dL',
        max_reference_range: 99,
        min_reference_range: 70,
        source_panel_name: 'Comprehensive Metabolic Panel',
        sensitivity: 'unknown',
        loinc_matches: [
          {
            loinc_code: '2345-7',
            loinc_name: 'Glucose [Mass/volume] in Serum or Plasma',
            display_name: 'Glucose',
            aliases: ['Glucose, Serum'],
            confidence_score: 0.99,
          },
        ],
        loinc_match_status: 'auto_match',
        interpretation: 'normal',
        is_above_max_range: false,
        is_below_min_range: false,
      },
    ],
  },
  needs_human_review: false,
  is_reviewed: false,
};

const historicalPull: HistoricalPullCompleted = {
  user_id: exampleIds.user,
  start_date: '2025-10-06T00:00:00+00:00',
  end_date: '2026-01-04T09:00:00+00:00',
  provider: 'fitbit',
  gaps: [{ start_date: '2025-11-01', end_date: '2025-11-30', error_code: 'provider_permanent' }],
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

/** `data` of every event family that is not derived from a summary or series, by the family's name. */
export const lifecycleExamples: Readonly<Record<string, object>> = {
  'daily.data.workout_stream': workoutStream,
  'historical.data': historicalPull,
  'historical.timeseries': historicalPull,
  'provider.connection.created': connectionCreated,
  'provider.connection.error': connectionFailed,
  'provider.device': device,
  'lab_report.parsing_job': parsingJob,
  'labtest.order': orderExample,
  'labtest.order_tracking.updated': orderTracking,
  'labtest.appointment': appointmentExample,
  'labtest.result.critical': criticalResult,
  'labtest.match_review': matchReview,
  'message.attempt.exhausted': exhausted,
  'endpoint.failing': failing,
  'endpoint.disabled': disabled,
  'endpoint.enabled': enabled,
};
