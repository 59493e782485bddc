/** True for statuses that say nothing of the request itself: overload, time-outs, a server that is not well. */
export function isTransientStatus(status: number): boolean {
  return status === 408 || status === 425 || status === 429 || status >= 500;
}
