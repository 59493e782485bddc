import { parseJson } from '@pulsewire/kernel';
import type { HttpClient, HttpRequest } from '@pulsewire/outbound';
import { partnerRefused, pushRefused } from '../kit/partner-errors.ts';
import { isTemporary, partnerUnavailable, sendToPartner } from '../kit/partner-http.ts';
import type { PartnerPush } from '../partner.ts';
import type { HttpPartnerSettings } from './settings.ts';
import { isSigned } from './webhook-signature.ts';

interface Call {
  readonly method: HttpRequest['method'];
  readonly path: string;
  readonly json?: unknown;
  readonly idempotencyKey: string;
  readonly signal: AbortSignal;
}

export interface PartnerClient {
  /** The body of a response; null for 404. Throws AppErrors `partner_refused`, `partner_unavailable` and `partner_timeout`. */
  call(call: Call): Promise<unknown>;
  /** The body of a webhook whose signature is right. Throws AppError `push_refused`. */
  open(push: PartnerPush): unknown;
}

export function createPartnerClient(name: string, settings: HttpPartnerSettings, http: HttpClient): PartnerClient {
  const { baseUrl, token, webhookSecret } = settings;
  return {
    async call({ path, idempotencyKey, ...request }) {
      const headers = { authorization: `Bearer ${token}`, 'idempotency-key': idempotencyKey };
      const { status, body, headers: given } = await sendToPartner(http, name, { ...request, url: `${baseUrl}${path}`, headers });
      if (status < 300) return body;
      if (status === 404) return null;
      // An operator has to correct a wrong token; calls wait for that.
      if (isTemporary(status)) throw partnerUnavailable(name, status, given['retry-after']);
      throw partnerRefused(`${name} refused the call`);
    },
    open(push) {
      if (webhookSecret === null || !isSigned(push, webhookSecret)) throw pushRefused('The signature of the webhook is wrong');
      const parsed = parseJson(push.body);
      if (parsed === undefined) throw pushRefused('The webhook is not JSON');
      return parsed;
    },
  };
}
