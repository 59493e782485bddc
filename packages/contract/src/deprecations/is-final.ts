import type { EventTransform } from './types.ts';

/** Events of historical pulls always contained `is_final: true`. */
export const addIsFinal: EventTransform = (event) => {
  const isCompletedPull = /^historical\.(data|timeseries)\./.test(event.eventType);
  return [isCompletedPull ? { ...event, data: { ...event.data, is_final: true } } : event];
};
