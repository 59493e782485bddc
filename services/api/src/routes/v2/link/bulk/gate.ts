import { bulkDisabled } from '@pulsewire/connections';
import type { Connector } from '@pulsewire/providers';
import type { KeyContext } from '../../../../context/context.ts';

/** Lets in only teams for which an operator has switched bulk operations on. Throws AppError `bulk_disabled` (403). */
export function admitBulk({ team }: KeyContext): null {
  if (!team.bulkOperations) throw bulkDisabled();
  return null;
}

/** Slugs that take part: those whose connections belong to an OAuth application. */
export function oauthSlugs(connectors: readonly Connector[]): readonly string[] {
  return connectors.filter(({ oauth }) => oauth !== null).map(({ slug }) => slug);
}

/** Where events find artwork. */
export const logoBaseUrlOf = (context: KeyContext): string => `${context.links.baseUrl()}/logos`;

/** The header that names the operation, because the body has no field for it. */
export const operationHeader = 'x-bulk-operation-id';
