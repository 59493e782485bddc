export { apiVersion } from './docs/openapi-options.ts';
export { compose, type Api, type ApiOverrides } from './compose.ts';
export { apiConfigFields, apiProcessFields, type ApiConfig } from './config.ts';
export { describeApi } from './describe-api.ts';
export { openIngestPorts, type IngestPorts } from './context/ingest-ports.ts';
