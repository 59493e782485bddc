/**
 * Age of the newest data when every connection is read every `readMs`, and new data appear every `appearMs`: the data that were newest at
 * the reading are up to `appearMs` old, and the reading was up to `readMs` ago, both uniformly distributed. Returns the age below
 * which `share` of all ages are.
 */
export function idealAge(readMs: number, appearMs: number, share: number): number {
  const [long, short] = [Math.max(readMs, appearMs), Math.min(readMs, appearMs)];
  const below = short / (2 * long);
  if (share < below) return Math.sqrt(2 * share * long * short);
  if (share > 1 - below) return long + short - Math.sqrt(2 * (1 - share) * long * short);
  return share * long + short / 2;
}
