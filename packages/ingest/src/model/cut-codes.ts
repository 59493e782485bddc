/** Error codes of a run that was cut short for lack of quota: by our own count, or by a refusal of the provider. */
export const cutCodes = ['provider_quota_spent', 'provider_rate_limited'] as const;

/** Error code of a window that is given up because a day of it needs more than a day's quota. */
export const exceedsQuota = 'window_exceeds_quota';
