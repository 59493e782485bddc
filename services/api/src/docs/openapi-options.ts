import type { SwaggerOptions } from '@fastify/swagger';
import { webhookGuide } from './webhook-guide.ts';

/** Version of Pulsewire. */
export const apiVersion = '0.2.0';

/** The parts of the document that describe the whole service. */
export function openApiOptions(): SwaggerOptions {
  return {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Pulsewire',
        version: apiVersion,
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
        {
          name: 'lab tests',
          description:
            'The tests that labs offer, those of the team, and its accounts at labs. Markers with a LOINC code contain content from LOINC (http://loinc.org), © Regenstrief Institute, Inc., under the licence at http://loinc.org/license.',
        },
        { name: 'lab orders', description: 'Orders of lab tests, and what is available around a ZIP code.' },
        { name: 'data', description: "What a team's own app measured." },
        { name: 'phones', description: 'Batches of the mobile SDKs, and the tokens with which phones sign in.' },
        { name: 'lab results', description: 'Results of labs: values, and what could not be measured.' },
        { name: 'lab appointments', description: 'Visits of phlebotomists, and appointments at service centers.' },
        { name: 'lab reports', description: 'Lab reports of users, parsed into typed results.' },
        { name: 'introspection', description: 'What was pulled for whom, with what outcome, and how far the data reaches.' },
        { name: 'webhooks', description: webhookGuide },
        { name: 'team', description: 'API keys and the audit log of the team.' },
        { name: 'push', description: 'Addresses that providers call when a user has new data. Teams do not use them.' },
      ],
      // Relative, so that the document does not depend on the address of the server.
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
