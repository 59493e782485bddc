/** Probabilities of faults. */
export const badDay = {
  http_500: 0.06,
  http_503: 0.06,
  cut: 0.06,
  malformed_json: 0.06,
  slow: 0.05,
  rate_limited: 0.04,
  token_expired_early: 0.04,
} as const;
