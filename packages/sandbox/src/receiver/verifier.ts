import type { IncomingHttpHeaders } from 'node:http';
import { Webhook } from 'standardwebhooks';

/** Checks signatures with the standard's public library, independent of our own code. */
export interface Verifier {
  setSecrets(secrets: readonly string[]): void;
  /** Whether one of the secrets signed this body within the last five minutes. */
  verifies(body: string, headers: IncomingHttpHeaders): boolean;
}

export function createVerifier(initial: readonly string[]): Verifier {
  let webhooks = initial.map((secret) => new Webhook(secret));
  return {
    setSecrets: (secrets) => void (webhooks = secrets.map((secret) => new Webhook(secret))),
    verifies(body, headers) {
      const signed = Object.fromEntries(
        ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) => [name, String(headers[name] ?? '')]),
      );
      return webhooks.some((webhook) => {
        try {
          webhook.verify(body, signed, { jsonParse: false });
          return true;
        } catch {
          return false;
        }
      });
    },
  };
}
