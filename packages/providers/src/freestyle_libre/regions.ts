import { placeOf } from '../abbott_libreview/libreview.ts';
import { contractRegions } from '../kit/password/contract-regions.ts';

/** Regions whose host is known. The host of any other country is told by LibreView alone, and not to strangers. */
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

/** For a form: the ones that most people look for. */
export const regionChoices = Object.entries(names).map(([value, label]) => ({ value, label }));
