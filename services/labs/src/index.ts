export { compose, type LabsConfig, type LabsParts, type LabsService } from './compose.ts';
export { labsConfig } from './config.ts';
