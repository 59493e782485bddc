import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { KitPartner, PartnerPush } from '../../partner.ts';
import { codeOf } from './code-of.ts';
import { address } from './people.ts';

export interface KitCase {
  readonly partner: KitPartner;
  /** Makes the next call that changes something arrive without a response, or be refused. */
  fail(how: 'lost_response' | 'refused' | 'unavailable'): void;
  /** The company's signed webhook that the parcel of an order is on its way to the patient. */
  sent(orderId: string): PartnerPush;
  close?(): Promise<void>;
}

type Request = Parameters<KitPartner['ship']>[0];

const signal = new AbortController().signal;
const requestFor = (changes: Partial<Request> = {}): Request => ({
  orderId: randomUUID(),
  idempotencyKey: randomUUID(),
  signal,
  sampleId: null,
  recipient: 'Ann Example',
  phoneNumber: '+14155550100',
  address,
  ...changes,
});

/** Tests the guarantees of every company that sends test kits; call it inside the partner's `describe`. */
export function describeKits(open: () => Promise<KitCase>): void {
  async function withCase(work: (opened: KitCase) => Promise<void>): Promise<void> {
    const opened = await open();
    try {
      await work(opened);
    } finally {
      await opened.close?.();
    }
  }

  describe('as every company that sends test kits', () => {
    it('sends one kit for repeated calls, and returns it on lookup', () =>
      withCase(async ({ partner }) => {
        const request = requestFor();
        const shipped = await partner.ship(request);
        expect(shipped).toMatchObject({ orderId: request.orderId, sampleId: expect.any(String) });
        expect((await partner.ship(request)).shipmentId).toBe(shipped.shipmentId);
        expect(await partner.findShipment(request)).toEqual(shipped);
        expect((await partner.ship(requestFor())).shipmentId).not.toBe(shipped.shipmentId);
        expect((await partner.ship(requestFor({ sampleId: 'LAB-9' }))).sampleId).toBe('LAB-9');
      }));

    it('finds a shipment whose response was lost, and none that did not arrive', () =>
      withCase(async ({ partner, fail }) => {
        const request = requestFor();
        expect(await partner.findShipment(request)).toBeNull();
        fail('lost_response');
        expect(await codeOf(partner.ship(request))).toBe('partner_timeout');
        expect(await partner.findShipment(request)).toMatchObject({ orderId: request.orderId });
      }));

    it('stops a kit that was not sent yet, also repeatedly, and refuses to stop one that was', () =>
      withCase(async ({ partner, sent }) => {
        const [waiting, gone] = [requestFor(), requestFor()];
        await partner.ship(waiting);
        await partner.cancel(waiting);
        await partner.cancel(waiting);
        await partner.cancel(requestFor());
        await partner.ship(gone);
        sent(gone.orderId);
        expect(await codeOf(partner.cancel(gone))).toBe('partner_refused');
      }));

    it('distinguishes a refusal, a temporary failure and an aborted call', () =>
      withCase(async ({ partner, fail }) => {
        fail('refused');
        expect(await codeOf(partner.ship(requestFor()))).toBe('partner_refused');
        fail('unavailable');
        expect(await codeOf(partner.ship(requestFor()))).toBe('partner_unavailable');
        expect(await codeOf(partner.ship(requestFor({ signal: AbortSignal.abort() })))).toBe('partner_timeout');
      }));

    it('reports states and tracking numbers in webhooks that it signs, and refuses others', () =>
      withCase(async ({ partner, sent }) => {
        const request = requestFor();
        await partner.ship(request);
        const push = sent(request.orderId);
        const [parcel] = await partner.readPush(push);
        expect(parcel).toMatchObject({
          orderId: request.orderId,
          state: 'transit_customer',
          details: { outboundTrackingNumber: expect.any(String) },
        });
        expect(await codeOf(partner.readPush({ headers: push.headers, body: Buffer.from('{}') }))).toBe('push_refused');
      }));
  });
}
