import { parcelStates, type KitPartner, type ShipmentState } from '../partner.ts';
import { dateOf, listOf, objectOf, oneOf, textOf, type Json } from './fields.ts';

const noticesMax = 100;

export function shipmentBody(lab: string, kit: Parameters<KitPartner['ship']>[0]): Json {
  const { address } = kit;
  return {
    lab,
    sample_id: kit.sampleId,
    recipient: kit.recipient,
    phone_number: kit.phoneNumber,
    address: {
      first_line: address.firstLine,
      second_line: address.secondLine,
      city: address.city,
      state: address.state,
      zip: address.zipCode,
    },
  };
}

/** Links are shown to teams, so only web addresses are accepted. */
const linkOf = (value: unknown) => {
  const link = textOf(value, 2000);
  return link !== null && /^https?:\/\//.test(link) ? link : null;
};

/** Null when the response contains no shipment. */
export function readShipment(body: unknown): ShipmentState | null {
  const found = objectOf(body);
  const [shipmentId, orderId, at] = [textOf(found['shipment_id'], 100), textOf(found['order_id'], 36), dateOf(found['at'])];
  if (shipmentId === null || orderId === null || at === null) return null;
  const [outbound, inbound] = [objectOf(found['outbound']), objectOf(found['inbound'])];
  return {
    shipmentId,
    orderId,
    sampleId: textOf(found['sample_id'], 100),
    state: oneOf(parcelStates, found['state']),
    details: {
      outboundTrackingNumber: textOf(outbound['tracking_number']),
      outboundTrackingUrl: linkOf(outbound['tracking_url']),
      outboundCourier: textOf(outbound['courier']),
      inboundTrackingNumber: textOf(inbound['tracking_number']),
      inboundTrackingUrl: linkOf(inbound['tracking_url']),
      inboundCourier: textOf(inbound['courier']),
      notes: textOf(found['notes'], 2000),
    },
    at,
  };
}

/** The shipments of a webhook; incomplete ones are omitted. */
export function readShipments(body: unknown): readonly ShipmentState[] {
  return listOf(objectOf(body)['shipments'], noticesMax).flatMap((item) => readShipment(item) ?? []);
}
