import { allEventTypes, findLifecycleEvent } from '../events/event-types.ts';
import { findEventFamily } from '../events/events.ts';
import { exampleIds } from '../examples/example-ids.ts';
import { goldenSample } from '../examples/golden-sample.ts';
import { bodySchema } from './schema-files.ts';
import type { EventTypeBody } from '../http/webhooks/webhook-messages.ts';
import { resources } from '../resources/resources.ts';

const lifecycleTexts: Readonly<Record<string, string>> = {
  'provider.connection.created': 'A user connected a provider.',
  'provider.connection.error': 'A connection stopped working; the user has to connect again.',
  'provider.device.created': 'A device of a user was seen for the first time.',
  'provider.device.updated': 'The details of a device changed.',
  'labtest.order.created': 'A lab order was placed.',
  'labtest.order.updated': 'The status of a lab order changed.',
  'labtest.order_tracking.updated': 'The sample of an order was taken, or results of it arrived.',
  'labtest.appointment.created': 'An appointment was booked.',
  'labtest.appointment.updated': 'An appointment changed.',
  'labtest.result.critical': 'A result needs immediate attention.',
  'labtest.match_review.created': 'A result matches no order and awaits review.',
  'labtest.match_review.updated': 'The review status of a result changed.',
  'lab_report.parsing_job.created': 'A lab report was submitted for parsing.',
  'lab_report.parsing_job.updated': 'The parsing status of a lab report changed.',
  'message.attempt.exhausted': 'All attempts to deliver a message to an endpoint failed.',
  'endpoint.failing': 'All recent deliveries to an endpoint failed; it will be disabled if this continues.',
  'endpoint.disabled': 'An endpoint was disabled.',
  'endpoint.enabled': 'A disabled endpoint was enabled.',
};

function dataTexts(): Record<string, string> {
  const texts: Record<string, string> = {};
  for (const row of resources) {
    if (row.events === null) continue;
    const what = row.name.replaceAll('_', ' ');
    const { created, updated, historical } = row.events;
    const [first, change] =
      row.kind === 'timeseries'
        ? [`New samples of ${what}, measured in ${row.unit}.`, `Samples of ${what} that replace stored ones.`]
        : row.kind === 'stream'
          ? ['The stream of a workout was stored and can be read.', 'The stored stream of a workout changed.']
          : [`A summary of ${what} was stored for the first time.`, `A stored summary of ${what} changed.`];
    texts[created] = first;
    texts[updated] = change;
    texts[historical] = `The historical pull of ${what} completed.`;
  }
  return texts;
}

/** The fictional user of every example. */
export const exampleUser = { userId: exampleIds.user, clientUserId: exampleIds.clientUser } as const;

/** `data` of the example of an event type, as its JSON text; undefined for types without a schema and unknown types. */
export function exampleDataJson(eventType: string): string | undefined {
  const family = findEventFamily(eventType);
  return family && JSON.stringify((goldenSample(family, eventType) as { data: unknown }).data);
}

let catalogue: readonly EventTypeBody[] | undefined;

/** Every event type with its description, the schema of its body and an example; both null for types without a schema yet. */
export function eventCatalogue(): readonly EventTypeBody[] {
  if (catalogue !== undefined) return catalogue;
  const texts = { ...dataTexts(), ...lifecycleTexts };
  catalogue = allEventTypes().map((eventType) => {
    const family = findEventFamily(eventType);
    return {
      event_type: eventType,
      description: texts[eventType] ?? '',
      operational: findLifecycleEvent(eventType)?.isOperational ?? false,
      deprecated: family?.isDeprecated ?? false,
      schema: family === undefined ? null : bodySchema({ ...family, name: eventType, eventTypes: [eventType] }),
      example: family === undefined ? null : (goldenSample(family, eventType) as Record<string, unknown>),
    };
  });
  return catalogue;
}
