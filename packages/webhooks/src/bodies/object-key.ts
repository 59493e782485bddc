import { findResource } from '@pulsewire/contract';
import type { Message } from './body.ts';

const summaryType = /^daily\.data\.([a-z_]+)\.(?:created|updated)$/;

/**
 * The identity of a summary: resource and id. Only its newest version counts. Null for everything else, such as samples, which
 * never replace each other.
 */
export function objectKeyOf({ eventType, body }: Message): string | null {
  const resource = summaryType.exec(eventType)?.[1];
  if (resource === undefined || findResource(resource)?.kind !== 'summary') return null;
  const { data } = JSON.parse(body.toString()) as { data?: { id?: unknown } };
  return typeof data?.id === 'string' ? `${resource}:${data.id}` : null;
}
