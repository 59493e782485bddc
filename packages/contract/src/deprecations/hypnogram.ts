import { uuidv5 } from '@pulsewire/kernel';
import { renderSample } from '../render/sample.ts';
import { stageSamples } from '../render/stage-samples.ts';
import { summaryResource, timeseriesResource } from '../resources/resources.ts';
import type { ResourceEvents } from '../resources/types.ts';
import type { EventTransform, OutgoingEvent, TransformContext } from './types.ts';

function hypnogramData(cycle: OutgoingEvent['data'], context: TransformContext): OutgoingEvent['data'] | undefined {
  const provider = context.findProvider(String(cycle['source_provider']));
  const samples = stageSamples(cycle);
  if (samples.length === 0) return undefined;
  const row = timeseriesResource('hypnogram');
  return {
    user_id: cycle['user_id'],
    source_id: provider?.sourceId ?? 0,
    source: cycle['source'],
    data: samples.map((sample) => renderSample(row, undefined, sample)),
  };
}

function hypnogramEvent(event: OutgoingEvent, context: TransformContext): { eventType: string; data: OutgoingEvent['data'] } | undefined {
  const from: ResourceEvents = summaryResource('sleep_cycle').events;
  const to: ResourceEvents = timeseriesResource('hypnogram').events;
  if (event.eventType === from.historical) return { eventType: to.historical, data: event.data };
  const change = event.eventType === from.created ? 'created' : event.eventType === from.updated ? 'updated' : undefined;
  if (change === undefined) return undefined;
  const data = hypnogramData(event.data, context);
  return data === undefined ? undefined : { eventType: to[change], data };
}

/**
 * Adds to every sleep cycle event the hypnogram event that it replaced. The id of the added event is derived from the
 * original's, so that a repeated delivery has the same id.
 */
export const addHypnogramEvents: EventTransform = (event, context) => {
  const derived = hypnogramEvent(event, context);
  return derived === undefined ? [event] : [event, { eventId: uuidv5(event.eventId, 'hypnogram'), ...derived }];
};
