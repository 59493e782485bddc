/**
 * A name of the tz database for a bare offset (seconds east of UTC), for accounts of which only that is known: it tells when their
 * day begins. Where the offset is no whole hour, the next zone to the east, so that no day begins too late.
 */
export function offsetZoneName(offsetSeconds: number): string {
  const hours = Math.min(14, Math.max(-12, Math.ceil(offsetSeconds / 3600)));
  // The sign in these names is the wrong way round, by tradition.
  return hours === 0 ? 'Etc/GMT' : `Etc/GMT${hours > 0 ? '-' : '+'}${Math.abs(hours)}`;
}
