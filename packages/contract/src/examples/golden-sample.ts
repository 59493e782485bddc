import { buildEnvelopeJson } from '../events/envelope.ts';
import type { EventFamily } from '../events/events.ts';
import { at, exampleIds } from './example-ids.ts';
import { lifecycleExamples } from './lifecycle-examples.ts';
import { sampleExample } from './sample-examples.ts';
import { summaryExamples } from './summary-examples.ts';
import { expandSamples, packSamples } from '../packed/packed-samples.ts';
import { renderSummary } from '../render/summary.ts';
import { findResource } from '../resources/resources.ts';
import type { TimeseriesResource } from '../resources/types.ts';

const sourceId = 16;

function batchJson(row: TimeseriesResource): string {
  const { subKind, sample } = sampleExample(row);
  const source = { provider: 'fitbit', type: 'watch', deviceId: exampleIds.device };
  // Uses the same path as real batches, so that a golden sample is what a receiver gets.
  return expandSamples(packSamples({ userId: exampleIds.user, sourceId, source, resource: row.name, subKind }, [sample]));
}

function summaryJson(resource: string): string {
  const summary = summaryExamples.find((one) => one.resource === resource);
  if (summary === undefined) throw new Error(`No example of the summary ${resource} in summary-examples.ts.`);
  return JSON.stringify(renderSummary({ summary, userId: exampleIds.user, createdAt: at('23:02'), updatedAt: at('23:02'), sourceId }));
}

function dataJson({ name }: EventFamily): string {
  const lifecycle = lifecycleExamples[name];
  if (lifecycle !== undefined) return JSON.stringify(lifecycle);
  const resource = findResource(name.slice(name.lastIndexOf('.') + 1));
  if (resource?.kind === 'timeseries') return batchJson(resource);
  if (resource?.kind === 'summary') return summaryJson(resource.name);
  throw new Error(`No example of the events ${name} in lifecycle-examples.ts.`);
}

/** A whole body of one of the family's event types, by default the first. */
export function goldenSample(family: EventFamily, eventType = family.eventTypes[0]): unknown {
  if (eventType === undefined) throw new Error(`The event family ${family.name} has no types.`);
  return JSON.parse(
    buildEnvelopeJson({
      eventType,
      dataJson: dataJson(family),
      teamId: exampleIds.team,
      userId: family.hasUser ? exampleIds.user : null,
      clientUserId: family.hasUser ? exampleIds.clientUser : null,
    }),
  );
}
