/** The provider's regional hosts; the root is the global one. */
export const hostRegions = ['ae', 'ap', 'au', 'ca', 'de', 'eu', 'eu2', 'fr', 'jp', 'la', 'us'];

export const regionPaths: Readonly<Record<string, string>> = Object.fromEntries(hostRegions.map((place) => [place, `/${place}`]));

/** The practice's region, independent of its patients' regions. */
export const practiceRegion = 'eu';

/** The region of a request's host; null for the global one, which serves every region. */
export function regionOfHost(path: string): string | null {
  const first = path.split('/')[1] ?? '';
  return hostRegions.includes(first) ? first : null;
}
