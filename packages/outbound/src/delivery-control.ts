/** What a receiver asks of the sender by the answer's header `webhook-delivery`: no more attempts of this message, or none at all. */
export type DeliveryControl = 'abort-message' | 'disable';

/** Reads `webhook-delivery`; undefined when it is missing or says something that is not known. */
export function parseDeliveryControl(header: string | readonly string[] | undefined): DeliveryControl | undefined {
  const text = (typeof header === 'string' ? header : header?.[0])?.trim().toLowerCase();
  return text === 'abort-message' || text === 'disable' ? text : undefined;
}
