import { errorCode, isAppError, type Logger, type Metrics } from '@pulsewire/kernel';

interface Reports {
  readonly logger: Logger;
  readonly metrics: Metrics;
}

const remedy =
  "The provider refuses the operator's application: check its id and secret, the scopes and APIs enabled for it, its approval and the provider's settings. Connections stay as they are and are tried again at long intervals.";

/**
 * Makes a failure of the operator's configuration visible: an error in the log that names its reason and remedy, and one metric by provider and
 * reason. Anything else thrown is ignored. Never called for the user's account or consent.
 */
export function reportConfigurationFault({ logger, metrics }: Reports, provider: string, error: unknown): void {
  if (errorCode(error) !== 'provider_configuration') return;
  const { reason: stated } = isAppError(error) ? error.details : {};
  const reason = typeof stated === 'string' ? stated : 'unknown';
  logger.error({ provider, reason, remedy }, 'provider.configuration_fault');
  metrics.count('provider_configuration_faults_total', { provider, reason });
}
