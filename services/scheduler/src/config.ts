import { providerConfigFields } from '@pulsewire/connections';
import { databaseConfig, encryptionConfig } from '@pulsewire/database';
import { kafkaConfig } from '@pulsewire/kafka/lazy';
import { connectors } from '@pulsewire/providers';
import { defineConfig } from '@pulsewire/runtime';

/** Settings of the scheduler; those of the providers are computed from the registry. */
export const schedulerConfig = {
  ...defineConfig({
    ...kafkaConfig,
    ...databaseConfig,
    ...encryptionConfig,
    logDays: {
      env: 'RETENTION_LOG_DAYS',
      type: 'integer',
      min: 7,
      max: 365,
      default: 30,
      unit: 'days',
      description: 'How long events stay in the log; events that a consumer still needs are kept longer. The API must have the same value.',
    },
    attemptsDays: {
      env: 'RETENTION_ATTEMPTS_DAYS',
      type: 'integer',
      min: 1,
      max: 730,
      default: 90,
      unit: 'days',
      description: 'How long webhook attempts can be looked up.',
    },
    auditDays: {
      env: 'RETENTION_AUDIT_DAYS',
      type: 'integer',
      min: 30,
      max: 3650,
      default: 400,
      unit: 'days',
      description: 'How long the audit log is kept.',
    },
    receiptsDays: {
      env: 'RETENTION_RECEIPTS_DAYS',
      type: 'integer',
      min: 1,
      max: 365,
      default: 30,
      unit: 'days',
      description: 'How late a provider response may be written and still be ordered correctly.',
    },
    pushesDays: {
      env: 'RETENTION_PUSHES_DAYS',
      type: 'integer',
      min: 1,
      max: 365,
      // Below the grace of seven days: an erased user is named by no push that came before the deletion.
      default: 6,
      unit: 'days',
      description:
        'How long received provider pushes are kept unchanged; below 7, so that none outlives the erasure of a user that it names.',
    },
    erasuresFile: {
      env: 'ERASURES_FILE',
      type: 'string',
      optional: true,
      defaultText: 'none',
      description: 'File that lists the ids of erased users, kept outside of backups; after a restore they are erased again from it.',
    },
    vaultDays: {
      env: 'RETENTION_VAULT_DAYS',
      type: 'integer',
      min: 1,
      max: 365,
      default: 14,
      unit: 'days',
      description: 'How long provider responses and pushes can be normalised again; at most RETENTION_RECEIPTS_DAYS.',
    },
  }),
  ...providerConfigFields(connectors),
};
