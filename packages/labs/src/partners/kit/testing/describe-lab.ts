import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { LabOrderRequest, LabPartner, PartnerPush } from '../../partner.ts';
import { codeOf } from './code-of.ts';
import { address, patient } from './people.ts';

export interface LabCase {
  readonly partner: LabPartner;
  /** Makes the next call that changes something arrive without a response, or be refused. */
  fail(how: 'lost_response' | 'refused' | 'unavailable'): void;
  /** The lab's signed webhook that it has received the sample of an order. */
  received(orderId: string, sampleId: string): PartnerPush;
  close?(): Promise<void>;
}

const signal = new AbortController().signal;

const requestFor = (changes: Partial<LabOrderRequest> = {}): LabOrderRequest => ({
  orderId: randomUUID(),
  idempotencyKey: randomUUID(),
  signal,
  sampleId: null,
  collectionMethod: 'walk_in_test',
  billingType: 'client_bill',
  accountNumber: 'A-1',
  patient,
  address,
  providerIds: ['303756'],
  clinicalNotes: null,
  icdCodes: [],
  isUrgent: false,
  isFasting: true,
  answers: [{ code: 'Q1', answer: 'no' }],
  physician: null,
  physicianSignature: null,
  insurance: null,
  insuranceImages: { front: null, back: null, patientSignature: null },
  ...changes,
});

/** Tests the guarantees of every lab; call it inside the partner's `describe`. */
export function describeLab(open: () => Promise<LabCase>): void {
  async function withCase(work: (opened: LabCase) => Promise<void>): Promise<void> {
    const opened = await open();
    try {
      await work(opened);
    } finally {
      await opened.close?.();
    }
  }

  describe('as every lab that receives orders', () => {
    it('creates one requisition for repeated calls, and returns it on lookup', () =>
      withCase(async ({ partner }) => {
        const request = requestFor();
        const placed = await partner.placeOrder(request);
        expect(placed.sampleId).not.toBe('');
        expect((await partner.placeOrder(request)).sampleId).toBe(placed.sampleId);
        expect((await partner.findOrder(request))?.sampleId).toBe(placed.sampleId);
        expect((await partner.placeOrder(requestFor())).sampleId).not.toBe(placed.sampleId);
      }));

    it('keeps the sample id of a kit', () =>
      withCase(async ({ partner }) => {
        expect((await partner.placeOrder(requestFor({ sampleId: 'KIT-77', collectionMethod: 'testkit' }))).sampleId).toBe('KIT-77');
      }));

    it('finds an order whose response was lost, and none that did not arrive', () =>
      withCase(async ({ partner, fail }) => {
        const request = requestFor();
        expect(await partner.findOrder(request)).toBeNull();
        fail('lost_response');
        expect(await codeOf(partner.placeOrder(request))).toBe('partner_timeout');
        expect(await partner.findOrder(request)).toMatchObject({ sampleId: expect.any(String) });
      }));

    it('cancels an order, also repeatedly and when it has none', () =>
      withCase(async ({ partner }) => {
        const request = requestFor();
        await partner.placeOrder(request);
        for (const each of [request, request, requestFor()]) expect(await codeOf(partner.cancelOrder(each))).toBe('none');
      }));

    it('distinguishes a refusal, a temporary failure and an aborted call', () =>
      withCase(async ({ partner, fail }) => {
        fail('refused');
        expect(await codeOf(partner.placeOrder(requestFor()))).toBe('partner_refused');
        fail('unavailable');
        expect(await codeOf(partner.placeOrder(requestFor()))).toBe('partner_unavailable');
        expect(await codeOf(partner.placeOrder(requestFor({ signal: AbortSignal.abort() })))).toBe('partner_timeout');
      }));

    it('reports states in webhooks that it signs, and refuses others', () =>
      withCase(async ({ partner, received }) => {
        const orderId = randomUUID();
        const push = received(orderId, 'S-1');
        expect(await partner.readPush(push)).toMatchObject([{ kind: 'state', orderId, sampleId: 'S-1', state: 'received' }]);
        expect(await codeOf(partner.readPush({ ...push, body: Buffer.from(`${push.body.toString()} `) }))).toBe('push_refused');
        expect(await codeOf(partner.readPush({ headers: {}, body: push.body }))).toBe('push_refused');
      }));
  });
}
