/** What a receiver requests with the response header `webhook-delivery`: no more attempts of this message, or no more deliveries at all. */
export type DeliveryControl = 'abort-message' | 'disable';

/** Reads `webhook-delivery`; undefined when it is missing or has an unknown value. */
export function parseDeliveryControl(header: string | readonly string[] | undefined): DeliveryControl | undefined {
  const text = (typeof header === 'string' ? header : header?.[0])?.trim().toLowerCase();
  return text === 'abort-message' || text === 'disable' ? text : undefined;
}
