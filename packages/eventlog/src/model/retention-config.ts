import { Type } from 'typebox';

/** How long the log is kept; to be spread into the settings of a service. */
export const retentionConfig = {
  logDays: {
    env: 'RETENTION_LOG_DAYS',
    schema: Type.Integer({ minimum: 7, maximum: 365, default: 30 }),
    unit: 'days',
    description:
      'How long events stay in the log; those that a consumer still needs stay longer, and no endpoint may retry for longer. API and scheduler need the same value.',
  },
} as const;
