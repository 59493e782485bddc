/** How a receiver verifies our requests: the description of the tag `webhooks`, in Markdown. */
export const webhookGuide = `Endpoints receive every change as a signed \`POST\`. Signatures follow [Standard Webhooks](https://www.standardwebhooks.com).

## Verify a webhook

Each request has the headers \`webhook-id\`, \`webhook-timestamp\` (seconds) and \`webhook-signature\`; unless the endpoint switches them off, also \`svix-id\`, \`svix-timestamp\` and \`svix-signature\` with the same values. A \`v1\` signature is the HMAC-SHA256 of \`<id>.<timestamp>.<body>\` with the [secret of the endpoint](#tag/webhooks/getWebhookSecret). Verify the exact bytes of the body, before any JSON parser: a body that was parsed and written again does not match. The libraries also reject timestamps that are more than five minutes off. During a secret rotation the header lists several signatures, and one match is enough.

**TypeScript or JavaScript** (\`npm install standardwebhooks\`, or \`svix\` with the same calls)

\`\`\`typescript
import { createServer } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { Webhook } from 'standardwebhooks'; // or: from 'svix'

const webhook = new Webhook('whsec_...'); // read the secret from your configuration

createServer(async (request, response) => {
  const body = await buffer(request);
  try {
    const event = webhook.verify(body.toString('utf8'), request.headers);
    console.log(event.event_type, request.headers['webhook-id']);
    response.writeHead(204).end();
  } catch {
    response.writeHead(401).end();
  }
}).listen(3000);
\`\`\`

**Python** (\`pip install standardwebhooks\`, or \`svix\`)

\`\`\`python
import os
from flask import Flask, request
from standardwebhooks.webhooks import Webhook, WebhookVerificationError
# or: from svix.webhooks import Webhook, WebhookVerificationError

app = Flask(__name__)
webhook = Webhook(os.environ["WEBHOOK_SECRET"])  # whsec_...

@app.post("/webhooks")
def receive():
    try:
        event = webhook.verify(request.get_data(), dict(request.headers))
    except WebhookVerificationError:
        return "", 401
    print(event["event_type"], request.headers["webhook-id"])
    return "", 204
\`\`\`

**Go** (\`go get github.com/standard-webhooks/standard-webhooks/libraries\`, or \`github.com/svix/svix-webhooks\`)

\`\`\`go
package main

import (
	"io"
	"log"
	"net/http"
	"os"

	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"
	// or: svix "github.com/svix/svix-webhooks/go"
)

func main() {
	webhook, err := standardwebhooks.NewWebhook(os.Getenv("WEBHOOK_SECRET")) // whsec_...
	if err != nil {
		log.Fatal(err)
	}
	http.HandleFunc("/webhooks", func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, 4<<20))
		if err != nil || webhook.Verify(body, r.Header) != nil {
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		log.Println(r.Header.Get("webhook-id"), string(body))
		w.WriteHeader(http.StatusNoContent)
	})
	log.Fatal(http.ListenAndServe(":3000", nil))
}
\`\`\`

**Shell**, to check a stored request: the output is what follows \`v1,\` in \`webhook-signature\`

\`\`\`shell
key=$(printf %s "\${WEBHOOK_SECRET#whsec_}" | openssl base64 -d -A | od -An -v -tx1 | tr -d ' \\n')
{ printf '%s.%s.' "$WEBHOOK_ID" "$WEBHOOK_TIMESTAMP"; cat body.json; } |
  openssl dgst -sha256 -mac HMAC -macopt "hexkey:$key" -binary | openssl base64 -A
\`\`\`

Endpoints with the signature \`v1a\` use ed25519 over the same bytes; their [public keys](#tag/webhooks/getWebhookKeys) need no API key. [Send a test event](#tag/webhooks/sendWebhookTest) to try a receiver.

## Respond

Respond with a 2xx status within the deadline, and work afterwards. Anything else is retried. Delivery is at least once: the same \`webhook-id\` may arrive again, so process each id once.
`;
