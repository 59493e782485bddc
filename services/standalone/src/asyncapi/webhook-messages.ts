import { bodySchema, eventCatalogue, eventFamilies, exampleBody, WebhookHeaders, type EventFamily } from '@pulsewire/contract';

/** The schema without its identifier, because references would be relative to that instead of the document. */
function embeddedSchema(family: EventFamily): object {
  const { $schema: _dialect, $id: _id, ...schema } = bodySchema(family) as Record<string, unknown>;
  return schema;
}

const exampleHeaders = {
  'webhook-id': 'msg_2KWPBgLlAfxdpx2AI54pPJ85f4W',
  'webhook-timestamp': '1769378400',
  'webhook-signature': 'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
};

function message(family: EventFamily, description: string): object {
  return {
    name: family.name,
    title: family.name,
    description,
    contentType: 'application/json',
    ...(family.isDeprecated && { deprecated: true }),
    headers: { $ref: '#/components/schemas/WebhookHeaders' },
    payload: embeddedSchema(family),
    examples: [{ name: family.eventTypes[0], headers: exampleHeaders, payload: exampleBody(family) }],
  };
}

/** One message per family of event types; its payload is the whole body of a webhook. */
export function webhookMessages(): Readonly<Record<string, object>> {
  const texts = new Map(eventCatalogue().map((row) => [row.event_type, row.description]));
  const describe = ({ eventTypes }: EventFamily) => eventTypes.map((type) => `- \`${type}\`: ${texts.get(type) ?? ''}`).join('\n');
  return Object.fromEntries(eventFamilies.map((family) => [family.name, message(family, describe(family))]));
}

export const webhookSchemas = { WebhookHeaders } as const;
