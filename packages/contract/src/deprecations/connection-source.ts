import type { EventTransform } from './types.ts';

/** `provider.connection.created` repeated `provider` under `source`. */
export const addConnectionSource: EventTransform = (event) => {
  const isConnection = event.eventType === 'provider.connection.created';
  return [isConnection ? { ...event, data: { ...event.data, source: event.data['provider'] } } : event];
};
