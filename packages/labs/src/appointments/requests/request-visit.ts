import { withEvents } from '@pulsewire/eventlog';
import { findPhlebotomists } from '../../areas/area-info.ts';
import { findZipArea } from '../../areas/zip-area.ts';
import type { LabTeam } from '../../context/context.ts';
import type { JobRunner } from '../../jobs/job.ts';
import { refused } from '../../model/errors.ts';
import type { AppointmentAddress } from '../model/appointment.ts';
import { lockBookable } from '../rules/assert-bookable.ts';
import { settleBooking, type BookingOutcome } from './book.ts';
import { insertAppointment } from './insert-appointment.ts';

export interface VisitRequest {
  readonly orderId: string;
  readonly provider: string;
  readonly address: AppointmentAddress;
  readonly notes: string | null;
}

/** Requests a visit at a time that the phlebotomist sets. Throws AppErrors `order_not_found` and of kind `invalid`. */
export async function requestVisit(runner: JobRunner, team: LabTeam, request: VisitRequest): Promise<BookingOutcome> {
  const { labs } = runner;
  const { orderId, provider, address, notes } = request;
  const [area, serving] = await Promise.all([
    findZipArea(labs.database, address.zip_code),
    findPhlebotomists(labs.database, address.zip_code),
  ]);
  const serves = serving.some((row) => row.provider === provider && row.tiers.includes('appointment-request'));
  const partner = labs.partners.find('phlebotomy', provider, team);
  if (area === null || !serves || !partner?.tiers.includes('appointment-request'))
    throw refused('provider_not_requestable', 'The provider does not accept requests for this ZIP code');
  const { lng, lat, ianaTimezone: timeZone } = area;
  const started = await withEvents(labs.database, async (tx, emit) => {
    const locked = await lockBookable(tx, labs, team, { orderId, type: 'phlebotomy', provider });
    const deadlineAt = new Date(labs.clock.now().getTime() + partner.confirmationMs);
    const details = { address, location: { lng, lat }, notes, slot: null };
    return insertAppointment(tx, emit, labs, locked, { type: 'phlebotomy', provider, timeZone, deadlineAt, details });
  });
  return settleBooking(runner, started, partner.confirmationMs);
}
