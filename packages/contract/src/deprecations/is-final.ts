import type { EventTransform } from './types.ts';

/** Historical pulls said `is_final: true`, always (interface 6.6, contract 20.7). */
export const addIsFinal: EventTransform = (event) => {
  const isCompletedPull = /^historical\.(data|timeseries)\./.test(event.eventType);
  return [isCompletedPull ? { ...event, data: { ...event.data, is_final: true } } : event];
};
