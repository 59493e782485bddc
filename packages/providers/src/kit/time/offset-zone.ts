/**
 * The tz database name for a bare offset (seconds east of UTC), for accounts with no other zone information: it determines when
 * their day begins. An offset that is not a whole hour is rounded to the east, so that no day begins too late.
 */
export function offsetZoneName(offsetSeconds: number): string {
  const hours = Math.min(14, Math.max(-12, Math.ceil(offsetSeconds / 3600)));
  // The sign in Etc/GMT names is inverted by convention.
  return hours === 0 ? 'Etc/GMT' : `Etc/GMT${hours > 0 ? '-' : '+'}${Math.abs(hours)}`;
}
