export { createAddressGuard, type AddressGuard } from './address/address-guard.ts';
export { createWebhookSender, type SendRequest, type WebhookSender, type WebhookSenderOptions } from './webhook-sender.ts';
export type { SendError, SendResult } from './exchange.ts';
export type { DeliveryControl } from './delivery-control.ts';
export { isWithinNetworks, networkOf, plainAddress } from './address/network-of.ts';
export { isPortAllowed } from './address/ports.ts';
export { createNameResolver, type NameResolverOptions, type ResolveName } from './address/resolve-name.ts';
export { createHttpClient, type HttpResponse, type HttpClient, type HttpClientOptions, type HttpRequest } from './http-client.ts';
