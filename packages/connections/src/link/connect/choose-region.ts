import { linkError } from '../session/link-error.ts';

/** The region to log in at: null is the connector's own default. Throws a link error `unsupported_region`. */
export function chooseRegion(regions: readonly string[] | null, wanted: string | null): string | null {
  // A provider without regions is the same everywhere: there is nothing to get wrong.
  if (regions === null || wanted === null) return null;
  if (!regions.includes(wanted)) throw linkError('unsupported_region', 'The provider does not know this region');
  return wanted;
}
