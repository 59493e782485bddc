/** True for statuses that do not blame the request: overload, timeouts, server errors. */
export function isTransientStatus(status: number): boolean {
  return status === 408 || status === 425 || status === 429 || status >= 500;
}
