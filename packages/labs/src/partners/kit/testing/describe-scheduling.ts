import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { isUuid } from '@pulsewire/kernel';
import type { BookRequest, SchedulingPartner, Slot } from '../../partner.ts';
import { localDayOf } from '../local-time.ts';
import { codeOf } from './code-of.ts';
import { address, patient } from './people.ts';

export interface SchedulingCase {
  readonly partner: SchedulingPartner;
  readonly now: Date;
  /** Local days with slots, both inclusive. */
  readonly from: string;
  readonly to: string;
  /** For partners that are created for each test case. */
  close?(): Promise<void>;
}

/** Tests the guarantees of every scheduling partner; call it inside the partner's `describe`. */
export function describeScheduling(open: () => Promise<SchedulingCase>): void {
  const signal = new AbortController().signal;
  const timeZone = 'America/Phoenix';

  async function withCase(work: (opened: SchedulingCase) => Promise<void>): Promise<void> {
    const opened = await open();
    try {
      await work(opened);
    } finally {
      await opened.close?.();
    }
  }
  const slotsOf = ({ partner, from, to }: SchedulingCase): Promise<readonly Slot[]> =>
    partner.findSlots({
      address: partner.kind === 'phlebotomy' ? address : null,
      siteCodes: partner.kind === 'phlebotomy' ? [] : ['QUE85004', 'QUE85006'],
      from,
      to,
      timeZone,
      signal,
    });
  const requestOf = async (opened: SchedulingCase, changes: Partial<BookRequest> = {}): Promise<BookRequest> => ({
    appointmentId: randomUUID(),
    idempotencyKey: randomUUID(),
    slotId: opened.partner.tiers.includes('appointment-ready') ? ((await slotsOf(opened))[0]?.slotId ?? null) : null,
    siteCode: opened.partner.kind === 'phlebotomy' ? null : 'QUE85004',
    patient,
    address,
    notes: null,
    isFasting: false,
    signal,
    ...changes,
  });

  describe('as every partner that takes appointments', () => {
    it('offers slots within the requested days, in order and in the future', () =>
      withCase(async (opened) => {
        const slots = await slotsOf(opened);
        expect(slots.length > 0).toBe(opened.partner.tiers.includes('appointment-ready'));
        for (const slot of slots) {
          const day = localDayOf(slot.startAt, timeZone);
          expect(day >= opened.from && day <= opened.to && slot.startAt > opened.now && slot.endAt > slot.startAt).toBe(true);
          expect([slot.siteCode === null, slot.available > 0]).toEqual([opened.partner.kind === 'phlebotomy', true]);
        }
        const inOrder = slots.toSorted((a, b) => (a.siteCode ?? '').localeCompare(b.siteCode ?? '') || +a.startAt - +b.startAt);
        expect(slots).toEqual(inOrder);
      }));

    it('creates one booking for repeated calls, and returns it on lookup', () =>
      withCase(async (opened) => {
        const { partner } = opened;
        const request = await requestOf(opened);
        const booked = await partner.book(request);
        expect(['pending', 'reserved', 'scheduled']).toContain(booked.state);
        expect((await partner.book(request)).providerId).toBe(booked.providerId);
        expect(await partner.get({ providerId: booked.providerId, signal })).toEqual(booked);
        const found = await partner.findBookings({ ...request });
        expect(found.length === 0 || (found.length === 1 && found[0]?.providerId === booked.providerId)).toBe(true);
        const other = await partner.book({ ...request, idempotencyKey: randomUUID(), appointmentId: randomUUID() }).catch(() => null);
        expect(other?.providerId).not.toBe(booked.providerId);
      }));

    it('moves and cancels a confirmed booking, and accepts a repeated cancellation', () =>
      withCase(async (opened) => {
        const { partner } = opened;
        const booked = await partner.book(await requestOf(opened));
        const reasonId = partner.cancellationReasons[0]?.reasonId as string;
        let { providerId } = booked;
        if (booked.state === 'scheduled') {
          const slot = (await slotsOf(opened)).at(-1) as Slot;
          const moved = await partner.reschedule({ ...(await requestOf(opened, { slotId: slot.slotId })), providerId });
          expect(moved).toMatchObject({ state: 'scheduled', startAt: slot.startAt, endAt: slot.endAt });
          ({ providerId } = moved);
        }
        const cancel = () => partner.cancel({ providerId, reasonId, note: null, idempotencyKey: randomUUID(), signal });
        await cancel();
        await cancel();
      }));

    it('does not find bookings that it did not create', () =>
      withCase(async ({ partner }) => {
        expect(await partner.get({ providerId: 'no-such-booking', signal })).toBeNull();
        expect(await partner.findBookings({ appointmentId: randomUUID(), idempotencyKey: randomUUID(), signal })).toEqual([]);
      }));

    it('refuses permanently what it never accepts, and reports an aborted call as undecided', () =>
      withCase(async (opened) => {
        const { partner } = opened;
        expect(await codeOf(partner.book(await requestOf(opened, { slotId: 'no-such-slot' })))).toBe('partner_refused');
        const aborted = await requestOf(opened, { signal: AbortSignal.abort() });
        expect(await codeOf(partner.book(aborted))).toBe('partner_timeout');
        expect(await codeOf(partner.get({ providerId: 'no-such-booking', signal: AbortSignal.abort() }))).toBe('partner_timeout');
      }));

    it('refuses webhooks that it did not sign', () =>
      withCase(async ({ partner }) => {
        expect(await codeOf(partner.readPush({ headers: {}, body: Buffer.from('{"id":"1"}') }))).toBe('push_refused');
      }));

    it('lists cancellation reasons with unique ids, including one for all other reasons', () =>
      withCase(async ({ partner }) => {
        const ids = partner.cancellationReasons.map(({ reasonId }) => reasonId);
        expect([ids.every(isUuid), new Set(ids).size]).toEqual([true, ids.length]);
        expect(partner.cancellationReasons.map((reason) => reason.name)).toContain('Other');
      }));
  });
}
