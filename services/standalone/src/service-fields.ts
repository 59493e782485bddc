import { providerConfigFields } from '@pulsewire/connections';
import { connectors } from '@pulsewire/providers';
import {
  healthServerConfig,
  listenerDrainConfig,
  processConfig,
  workersConfig,
  type ConfigFields,
  type ConfigGroup,
} from '@pulsewire/runtime';
import { apiConfigFields } from '@pulsewire/service-api';
import { consoleConfigFields } from '@pulsewire/service-console';
import { dispatcherConfig } from '@pulsewire/service-dispatcher';
import { ingestConfig } from '@pulsewire/service-ingest';
import { labsConfig } from '@pulsewire/service-labs';
import { relayConfig } from '@pulsewire/service-relay';
import { portalConfig } from '@pulsewire/service-portal';
import { reportParserConfig } from '@pulsewire/service-report-parser';
import { schedulerConfig } from '@pulsewire/service-scheduler';
import { standaloneConfig } from './config.ts';

/** Settings of every process. */
export const everyProcess: ConfigFields = { ...processConfig, ...healthServerConfig };

export const providerFields: ConfigFields = providerConfigFields(connectors);

/** The settings of each service as a process of its own, without those of every process and of providers. */
export const serviceGroups: readonly ConfigGroup[] = (
  [
    ['api', { ...apiConfigFields, ...listenerDrainConfig, ...workersConfig }],
    ['console', { ...consoleConfigFields, ...listenerDrainConfig }],
    ['ingest', { ...ingestConfig, ...workersConfig }],
    ['dispatcher', { ...dispatcherConfig, ...workersConfig }],
    ['relay', relayConfig],
    ['labs', labsConfig],
    ['report-parser', reportParserConfig],
    ['scheduler', schedulerConfig],
  ] satisfies readonly ConfigGroup[]
).map(([title, fields]) => [title, own(fields)]);

/** Of the portal as a process of its own. Under `npm start` it is part of the API's server, and reads none of them. */
export const portalFields: ConfigFields = own({ ...portalConfig, ...listenerDrainConfig });

function own(fields: ConfigFields): ConfigFields {
  return Object.fromEntries(Object.entries(fields).filter(([key, field]) => everyProcess[key] !== field && !(key in providerFields)));
}

/** The settings of `npm start` in groups: a setting of several services is in the first of them, with the default that it has here. */
export const startGroups: readonly ConfigGroup[] = groupOnce([
  ['npm start', standaloneConfig],
  ...serviceGroups,
  ['Every process', everyProcess],
  ['Providers', providerFields],
]);

function groupOnce(groups: readonly ConfigGroup[]): readonly ConfigGroup[] {
  const seen = new Set<string>();
  // The defaults of every process hold, although a service that runs alone may have others.
  const overriding = new Set(Object.values(everyProcess).map(({ env }) => env));
  const placed = groups.map(([title, fields]): ConfigGroup => {
    const isOwn = fields === standaloneConfig || fields === everyProcess;
    const kept = Object.entries(fields).filter(([, { env }]) => !seen.has(env) && (isOwn || !overriding.has(env)));
    for (const [, { env }] of kept) seen.add(env);
    return [title, Object.fromEntries(kept)];
  });
  return placed.filter(([, fields]) => Object.keys(fields).length > 0);
}

/** The settings of the services that `npm start` passes on as they are, by variable. */
export const passedFields: ConfigFields = Object.fromEntries(
  startGroups
    .filter(([title]) => serviceGroups.some(([service]) => service === title))
    .flatMap(([, fields]) => Object.values(fields).map((field) => [field.env, field])),
);
