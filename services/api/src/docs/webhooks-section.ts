import type { TSchema } from 'typebox';
import { bodySchema, eventCatalogue, eventFamilies, exampleBody, WebhookHeaders, type EventFamily } from '@pulsewire/contract';

const reference = (kind: string, name: string) => ({ $ref: `#/components/${kind}/${name}` });

const camel = (name: string) => name.replaceAll(/(?:^|-)([a-z])/g, (_, letter: string) => letter.toUpperCase());

function headerParameter([name, schema]: readonly [string, TSchema]) {
  const { description } = schema as { readonly description?: string };
  const required = (WebhookHeaders.required as readonly string[]).includes(name);
  return [camel(name), { name, in: 'header', required, description, schema: { type: 'string' } }] as const;
}

const parameters = Object.fromEntries(Object.entries<TSchema>(WebhookHeaders.properties).map(headerParameter));

const responses = {
  WebhookAccepted: { description: 'Any status from 200 to 299 acknowledges the event. Every other outcome is retried.' },
};

/** The schema without its identifier, because references would be relative to that instead of the document. */
function embeddedSchema(family: EventFamily): object {
  const { $schema: _dialect, $id: _id, ...schema } = bodySchema(family) as Record<string, unknown>;
  return schema;
}

function requestBody(family: EventFamily): object {
  return { required: true, content: { 'application/json': { schema: embeddedSchema(family), example: exampleBody(family) } } };
}

function operation(eventType: string, family: EventFamily, summary: string): object {
  return {
    operationId: `on.${eventType}`,
    tags: ['webhooks'],
    summary,
    ...(family.isDeprecated && { deprecated: true }),
    security: [],
    parameters: Object.keys(parameters).map((name) => reference('parameters', name)),
    requestBody: reference('requestBodies', family.name),
    responses: { '2XX': reference('responses', 'WebhookAccepted') },
  };
}

/** References to the schema of every family's body. */
export function webhookSchemaReferences(): readonly object[] {
  return eventFamilies.map(({ name }) => reference('schemas', name));
}

/** Every event type that endpoints receive; types of one family share a request body, whose schema lists them. */
export function webhooksSection() {
  const texts = new Map(eventCatalogue().map((row) => [row.event_type, row.description]));
  const webhooks = eventFamilies.flatMap((family) =>
    family.eventTypes.map((type) => [type, { post: operation(type, family, texts.get(type) ?? type) }] as const),
  );
  return {
    webhooks: Object.fromEntries(webhooks),
    requestBodies: Object.fromEntries(eventFamilies.map((family) => [family.name, requestBody(family)])),
    parameters,
    responses,
  };
}
