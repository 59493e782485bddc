export { compose, type SchedulerService, type SchedulerServiceConfig, type SchedulerServiceParts } from './compose.ts';
export { schedulerConfig } from './config.ts';
