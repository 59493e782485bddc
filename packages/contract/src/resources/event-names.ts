import type { ResourceEvents } from './types.ts';

/** Event types of the common pattern. "daily" means incremental, not once a day. */
export function dataEvents(resource: string): ResourceEvents {
  return {
    created: `daily.data.${resource}.created`,
    updated: `daily.data.${resource}.updated`,
    historical: `historical.data.${resource}.created`,
  };
}
