import type { SimAccount } from '../kit/accounts/accounts.ts';

/** Hosts of the provider, by name; the bare root is the global one. */
export const places = ['ae', 'ap', 'au', 'ca', 'de', 'eu', 'eu2', 'fr', 'jp', 'la', 'us'];

export const regionPaths: Readonly<Record<string, string>> = Object.fromEntries(places.map((place) => [place, `/${place}`]));

/** Where an account lives. The United Kingdom is not where one would look first. */
export function homeOf({ region }: SimAccount): string {
  if (region === 'gb') return 'eu2';
  return region !== null && places.includes(region) ? region : 'eu';
}

/** Where a request came in; null at the root, which serves everybody. */
export function placeOf(path: string): string | null {
  const first = path.split('/')[1] ?? '';
  return places.includes(first) ? first : null;
}
