import type { SwaggerOptions } from '@fastify/swagger';
import { webhookGuide } from './webhook-guide.ts';

/** The parts of the document that describe the whole service. */
export function openApiOptions(): SwaggerOptions {
  return {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Pulsewire',
        version: '0.1.0',
        description:
          'Connects wearables to your software. Every change is stored once, sent as a [signed webhook](#tag/webhooks), and can be read here. Every request carries the API key of the team in the header `x-service-api-key`. Text must be UTF-8, without the NUL character and unpaired surrogates; otherwise the response is 422.',
      },
      tags: [
        { name: 'users', description: 'The people whose wearables are connected, and their connections.' },
        { name: 'providers', description: 'The providers that this installation serves.' },
        {
          name: 'linking',
          description:
            'Connects a user to a provider: with a link token and the hosted page, or step by step from your own page. Bulk operations move many connections at once.',
        },
        { name: 'summaries', description: 'Stored summaries by day or event, such as sleep and workouts.' },
        { name: 'timeseries', description: 'Stored samples, such as heart rate, grouped by source.' },
        { name: 'webhooks', description: webhookGuide },
        { name: 'team', description: 'API keys and the audit log of the team.' },
        { name: 'push', description: 'Addresses that providers call when a user has new data. Teams do not use them.' },
      ],
      // Relative: the document is the same wherever it is served from.
      servers: [{ url: '/' }],
      components: {
        securitySchemes: {
          apiKey: { type: 'apiKey', in: 'header', name: 'x-service-api-key', description: 'An API key of the team.' },
          linkToken: { type: 'apiKey', in: 'header', name: 'x-service-link-token', description: 'A link token, from POST /v2/link/token.' },
        },
      },
    },
  };
}
