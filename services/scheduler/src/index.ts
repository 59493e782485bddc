export { checkRetention, compose, type SchedulerService, type SchedulerServiceConfig, type SchedulerServiceParts } from './compose.ts';
export { schedulerConfig } from './config.ts';
export { jobList } from './job-list.ts';
export { checkErasuresFile } from './erasures/check-erasures-file.ts';
export { replayErasuresFile, saveErasures } from './erasures/save-erasures.ts';
export { eraseTeamsJob } from './jobs/erasure.ts';
export { eraseUsersJob, type ErasureContext } from './jobs/erasure.ts';
