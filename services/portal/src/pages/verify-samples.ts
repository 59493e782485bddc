import { h } from 'preact';
import { command } from './parts.ts';

const samples: readonly (readonly [string, string])[] = [
  [
    'Node',
    `import { Webhook } from 'standardwebhooks';
// secret: WEBHOOK_SECRET; rawBody: the bytes as received, before any JSON parser
const event = new Webhook(secret).verify(rawBody, request.headers);`,
  ],
  [
    'Python',
    `from standardwebhooks.webhooks import Webhook
event = Webhook(os.environ["WEBHOOK_SECRET"]).verify(request.get_data(), request.headers)`,
  ],
  [
    'Go',
    `wh, _ := standardwebhooks.NewWebhook(os.Getenv("WEBHOOK_SECRET"))
if err := wh.Verify(body, r.Header); err != nil { http.Error(w, "", 401); return }`,
  ],
  [
    'Ruby',
    `wh = StandardWebhooks::Webhook.new(ENV["WEBHOOK_SECRET"])
event = wh.verify(request.body.read, request.headers)`,
  ],
];

/** How the receiver verifies the messages of this endpoint, in four languages. */
export function verifySamples(apiUrl: string, endpointId: string) {
  return [
    h('p', null, 'Read the secret of this endpoint with a key that has the scope secrets:'),
    command(
      `export WEBHOOK_SECRET=$(curl -s -H "x-service-api-key: $API_KEY" "${apiUrl}/v2/team/webhook/${endpointId}/secret" | jq -r .key)`,
    ),
    h('p', null, 'Then verify with any library of Standard Webhooks, and use webhook-id to ignore what arrives twice:'),
    ...samples.map(([language, code]) => h('details', { class: 'sample' }, h('summary', null, language), command(code))),
  ];
}
