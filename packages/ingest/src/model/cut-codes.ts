/** Codes with which a run is cut short for lack of quota: by our own count, or by the provider's word. */
export const cutCodes = ['provider_quota_spent', 'provider_rate_limited'] as const;

/** Code with which a window is given up of which a day needs more than its quota gives in a day. */
export const exceedsQuota = 'window_exceeds_quota';
