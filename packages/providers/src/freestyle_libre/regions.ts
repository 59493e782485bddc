import { placeOf } from '../abbott_libreview/libreview.ts';
import { contractRegions } from '../kit/password/contract-regions.ts';

/** Regions with a known host. We do not know the hosts of other countries. */
export const knownRegions: readonly string[] = [...contractRegions, 'jp', 'ru'].filter((region) => placeOf(region) !== null);

const names: Readonly<Record<string, string>> = {
  us: 'United States',
  eu: 'Europe',
  de: 'Germany',
  fr: 'France',
  gb: 'United Kingdom',
  ca: 'Canada',
  au: 'Australia',
};

/** The choices of a form: the most common regions. */
export const regionChoices = Object.entries(names).map(([value, label]) => ({ value, label }));
