export { createAddressGuard, type AddressGuard } from './address-guard.ts';
export { createWebhookSender, type SendRequest, type WebhookSender, type WebhookSenderOptions } from './webhook-sender.ts';
export type { SendError, SendResult } from './exchange.ts';
export type { ResolveName } from './guarded-connector.ts';
export { createHttpClient, type HttpAnswer, type HttpClient, type HttpClientOptions, type HttpRequest } from './provider-http.ts';
