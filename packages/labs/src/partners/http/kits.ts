import type { PartnerMaker } from '../directory.ts';
import { partnerTimeout } from '../kit/partner-errors.ts';
import type { KitPartner } from '../partner.ts';
import { createPartnerClient } from './client.ts';
import { readShipment, readShipments, shipmentBody } from './kit-wire.ts';
import { readHttpSettings } from './settings.ts';

const pathOf = (orderId: string) => `/shipments/${encodeURIComponent(orderId)}`;

/** A company that sends test kits and implements our interface for it, which README.md describes. */
export const httpKits: PartnerMaker = ({ http, settings: given }) => {
  const settings = readHttpSettings(given?.['kits']);
  if (!settings || !http) return null;
  const client = createPartnerClient('The shipping company', settings, http);
  return settings.labs.map((slug): KitPartner => ({
    kind: 'kits',
    slug,
    isSimulated: false,
    async ship({ idempotencyKey, signal, ...kit }) {
      const json = shipmentBody(slug, { idempotencyKey, signal, ...kit });
      const shipment = readShipment(await client.call({ method: 'PUT', path: pathOf(kit.orderId), json, idempotencyKey, signal }));
      if (shipment === null) throw partnerTimeout();
      return shipment;
    },
    async findShipment({ orderId, ...call }) {
      return readShipment(await client.call({ method: 'GET', path: pathOf(orderId), ...call }));
    },
    async cancel({ orderId, ...call }) {
      await client.call({ method: 'POST', path: `${pathOf(orderId)}/cancel`, ...call });
    },
    readPush: async (push) => readShipments(client.open(push)),
  }));
};
