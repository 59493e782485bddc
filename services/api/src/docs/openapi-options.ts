import type { SwaggerOptions } from '@fastify/swagger';

/** What the document says of the service as a whole. */
export function openApiOptions(): SwaggerOptions {
  return {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Pulsewire',
        version: '0.1.0',
        description:
          'Connects wearables to the software of the teams that serve their users. Every change is stored once, sent as a signed webhook, and can be read back here. Text of a request must be UTF-8, without the NUL character and without unpaired surrogates; else it is refused with 422.',
      },
      // Relative: the document is the same wherever it is served from.
      servers: [{ url: '/' }],
      components: {
        securitySchemes: {
          apiKey: { type: 'apiKey', in: 'header', name: 'x-service-api-key', description: "The team's key." },
          linkToken: { type: 'apiKey', in: 'header', name: 'x-service-link-token', description: 'A link token, from POST /v2/link/token.' },
        },
      },
    },
  };
}
