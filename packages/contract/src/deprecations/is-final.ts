import type { EventTransform } from './types.ts';

/** Historical pulls said `is_final: true`, always. */
export const addIsFinal: EventTransform = (event) => {
  const isCompletedPull = /^historical\.(data|timeseries)\./.test(event.eventType);
  return [isCompletedPull ? { ...event, data: { ...event.data, is_final: true } } : event];
};
