import type { PartnerMaker } from '../directory.ts';
import { partnerTimeout } from '../kit/partner-errors.ts';
import type { LabPartner } from '../partner.ts';
import { createPartnerClient } from './client.ts';
import { orderBody, readNotices, readPlaced } from './lab-wire.ts';
import { readHttpSettings } from './settings.ts';

const pathOf = (orderId: string) => `/orders/${encodeURIComponent(orderId)}`;

/** The labs of a company that implements our interface for labs, which README.md describes. */
export const httpLabs: PartnerMaker = ({ http, settings: given }) => {
  const settings = readHttpSettings(given?.['lab']);
  if (!settings || !http) return null;
  const client = createPartnerClient('The lab', settings, http);
  return settings.labs.map((slug): LabPartner => ({
    kind: 'lab',
    slug,
    isSimulated: false,
    async placeOrder({ idempotencyKey, signal, ...order }) {
      const json = orderBody(slug, { idempotencyKey, signal, ...order });
      const placed = readPlaced(await client.call({ method: 'PUT', path: pathOf(order.orderId), json, idempotencyKey, signal }));
      // Without a requisition in the response, it is looked up.
      if (placed === null) throw partnerTimeout();
      return placed;
    },
    async findOrder({ orderId, ...call }) {
      return readPlaced(await client.call({ method: 'GET', path: pathOf(orderId), ...call }));
    },
    async cancelOrder({ orderId, ...call }) {
      await client.call({ method: 'POST', path: `${pathOf(orderId)}/cancel`, ...call });
    },
    readPush: async (push) => readNotices(client.open(push)),
  }));
};
