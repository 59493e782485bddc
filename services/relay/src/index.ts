export { compose, type RelayService, type RelayServiceConfig, type RelayServiceParts } from './compose.ts';
export { relayConfig } from './config.ts';
