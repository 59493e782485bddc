import { linkError } from '../session/link-error.ts';

/** The region to log in to; null for the connector's default. Throws a link error `unsupported_region`. */
export function chooseRegion(regions: readonly string[] | null, wanted: string | null): string | null {
  // A provider without regions ignores the requested one.
  if (regions === null || wanted === null) return null;
  if (!regions.includes(wanted)) throw linkError('unsupported_region', 'The provider does not support this region');
  return wanted;
}
