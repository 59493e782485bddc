import { addConnectionSource } from './connection-source.ts';
import { addHypnogramEvents } from './hypnogram.ts';
import { addIsFinal } from './is-final.ts';
import { addSourceFields } from './source-name-logo-slug.ts';
import type { Deprecation } from './types.ts';

// Deprecations without a date of their own were announced with the first published version.
const firstContract = '2026-11-21';
/** The day on which the end of these providers was announced here. */
const providersAnnounced = '2026-11-23';

function announced(id: string, where: string, replacement: string, announcedOn = firstContract): Deprecation {
  return { id, where, announcedOn, removedOn: null, replacement, transform: null };
}

/**
 * Every deprecation: the dated ones, and those that are announced and still served.
 * Transforms run in this order: derived events first, so that the other transforms apply to them too.
 */
export const deprecations: readonly Deprecation[] = [
  {
    id: 'hypnogram',
    where: 'timeseries hypnogram and its historical and daily events',
    announcedOn: null,
    removedOn: '2025-01-31',
    replacement: 'the summary sleep_cycle and its events',
    transform: addHypnogramEvents,
  },
  {
    id: 'is_final',
    where: 'is_final of historical.data.<resource>.created',
    announcedOn: null,
    removedOn: '2024-06-30',
    replacement: 'none: one such event is sent per resource, after all data',
    transform: addIsFinal,
  },
  {
    id: 'source_name_logo_slug',
    where: 'name, logo and slug of source, in data events and in every summary',
    announcedOn: null,
    removedOn: '2024-07-31',
    replacement: 'provider, type and app_id; details of a provider come from GET /v2/providers',
    transform: addSourceFields,
  },
  {
    id: 'connection_source',
    where: 'source of provider.connection.created',
    announcedOn: null,
    removedOn: '2024-07-31',
    replacement: 'provider of the same event',
    transform: addConnectionSource,
  },
  announced('flat_timeseries_reads', 'GET /v2/timeseries/{user_id}/{resource}', 'GET /v2/timeseries/{user_id}/{resource}/grouped'),
  announced('lab_test_list', 'GET /v3/lab_tests', 'GET /v3/lab_test'),
  announced('order_lab_test_id', 'lab_test_id of orders', 'order_set of orders'),
  announced('biomarker_result_value', 'value of biomarker results', 'result of biomarker results'),
  announced('order_requisition_form_url', 'requisition_form_url of orders', 'GET /v3/order/{order_id}/requisition/pdf'),
  announced('order_status', 'status of orders', 'last_event of orders'),
  // Served until the provider stops: the date is not ours.
  announced(
    'fitbit_connections',
    'connections to fitbit: Google ended the Fitbit Web API on 2 November 2026',
    'connections to google_health; linking one hands over the fitbit connection of the same person',
    providersAnnounced,
  ),
  announced(
    'google_fit_connections',
    'connections to google_fit: Google ends the Google Fit API during 2026',
    'connections to google_health, which take over what Google Health delivers from the google_fit connection of the same Google account; health_connect for phones',
    providersAnnounced,
  ),
];
