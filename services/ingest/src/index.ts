export { compose, type IngestService, type IngestServiceConfig, type IngestServiceParts } from './compose.ts';
export { ingestConfig } from './config.ts';
