import { bulkDisabled } from '@pulsewire/connections';
import type { Connector } from '@pulsewire/providers';
import type { KeyContext } from '../../../../context/context.ts';

/** Admits only teams for which an operator has enabled bulk operations. Throws AppError `bulk_disabled` (403). */
export function admitBulk({ team }: KeyContext): null {
  if (!team.bulkOperations) throw bulkDisabled();
  return null;
}

/** Supported slugs: providers with connections of an OAuth application. */
export function oauthSlugs(connectors: readonly Connector[]): readonly string[] {
  return connectors.filter(({ oauth }) => oauth !== null).map(({ slug }) => slug);
}

/** Base URL of the logos in events. */
export const logoBaseUrlOf = (context: KeyContext): string => `${context.links.baseUrl()}/logos`;

/** The header that names the operation, because the body has no field for it. */
export const operationHeader = 'x-bulk-operation-id';
