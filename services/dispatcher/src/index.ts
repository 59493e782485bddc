export { compose, type DispatcherService, type DispatcherServiceConfig, type DispatcherServiceParts } from './compose.ts';
export { dispatcherConfig } from './config.ts';
export { settingsOfWorkers } from './settings-of-workers.ts';
