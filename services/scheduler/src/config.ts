import { providerConfigFields } from '@pulsewire/connections';
import { connectionsConfig, databaseConfig, encryptionConfig } from '@pulsewire/database';
import { retentionConfig } from '@pulsewire/eventlog';
import { kafkaConfig } from '@pulsewire/kafka/lazy';
import { connectors } from '@pulsewire/providers';
import { defineConfig } from '@pulsewire/runtime';
import { Type } from 'typebox';

/** Settings of the scheduler; those of the providers are computed from the registry. */
export const schedulerConfig = {
  ...defineConfig({
    ...kafkaConfig,
    ...databaseConfig,
    ...connectionsConfig({ minimum: 3, default: 15 }),
    ...encryptionConfig,
    ...retentionConfig,
    attemptsDays: {
      env: 'RETENTION_ATTEMPTS_DAYS',
      schema: Type.Integer({ minimum: 1, maximum: 730, default: 90 }),
      unit: 'days',
      description: 'How long webhook attempts can be looked up.',
    },
    auditDays: {
      env: 'RETENTION_AUDIT_DAYS',
      schema: Type.Integer({ minimum: 30, maximum: 3650, default: 400 }),
      unit: 'days',
      description: 'How long the audit log is kept.',
    },
    receiptsDays: {
      env: 'RETENTION_RECEIPTS_DAYS',
      schema: Type.Integer({ minimum: 1, maximum: 365, default: 30 }),
      unit: 'days',
      description: 'How late a provider response may be written and still be ordered correctly.',
    },
    pushesDays: {
      env: 'RETENTION_PUSHES_DAYS',
      // Below the seven days' grace, so that no stored push from before a deletion still names the user when it is erased.
      schema: Type.Integer({ minimum: 1, maximum: 365, default: 6 }),
      unit: 'days',
      description:
        'How long received provider pushes are kept unchanged; below 7, so that none still names a user when that user is erased.',
    },
    erasuresFile: {
      env: 'ERASURES_FILE',
      schema: Type.Optional(Type.String()),
      defaultText: 'none',
      description: 'File that lists the ids of erased users, kept outside of backups; after a restore it is used to erase them again.',
    },
    packAfterDays: {
      env: 'SAMPLES_PACK_AFTER_DAYS',
      schema: Type.Optional(Type.Integer({ minimum: 1, maximum: 3650 })),
      defaultText: 'none, samples are not packed',
      unit: 'days',
      description:
        'Packs samples of days that are older than this, to 1 to 3 bytes each. Set it once every process runs this version: older ones do not see packed samples and are refused at their next start.',
    },
    vaultDays: {
      env: 'RETENTION_VAULT_DAYS',
      schema: Type.Integer({ minimum: 1, maximum: 365, default: 14 }),
      unit: 'days',
      description: 'How long provider responses and pushes can be normalised again; at most RETENTION_RECEIPTS_DAYS.',
    },
  }),
  ...providerConfigFields(connectors),
};
