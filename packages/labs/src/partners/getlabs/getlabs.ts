import { createHmac, timingSafeEqual } from 'node:crypto';
import { parseJson } from '@pulsewire/kernel';
import type { PartnerMaker } from '../directory.ts';
import { reasonsOf } from '../kit/cancellation-reasons.ts';
import { partnerRefused, partnerTimeout, pushRefused } from '../kit/partner-errors.ts';
import type { BookRequest, PartnerAppointment, PartnerPatient, SchedulingPartner } from '../partner.ts';
import { getlabsReasons } from './reasons.ts';
import { createGetlabsSession, type GetlabsSession } from './session.ts';
import { readGetlabsSettings, type GetlabsSettings } from './settings.ts';
import * as wire from './wire.ts';

function assertSigned({ webhookSecret }: GetlabsSettings, given: unknown, body: Buffer): void {
  const signature = Buffer.from(typeof given === 'string' ? given : '', 'hex');
  const expected = createHmac('sha256', webhookSecret ?? '')
    .update(body)
    .digest();
  const isRight = webhookSecret !== null && signature.length === expected.length && timingSafeEqual(signature, expected);
  if (!isRight) throw pushRefused('The signature of the webhook is wrong');
}

/** The response to a change must contain the resulting appointment; otherwise it is looked up. */
function appointmentOf(body: unknown): PartnerAppointment {
  if (body === null) throw partnerRefused('Getlabs has no such slot or appointment');
  const appointment = wire.readAppointment(body);
  if (appointment === null) throw partnerTimeout();
  return appointment;
}

async function patientIdOf(session: GetlabsSession, patient: PartnerPatient, signal: AbortSignal): Promise<string> {
  const body = await session.call({ method: 'POST', path: wire.paths.patient, json: wire.patientBody(patient), signal });
  const id = wire.readId(body);
  if (id === null) throw partnerRefused('Getlabs did not accept the patient');
  return id;
}

const keyed = ({ idempotencyKey }: { readonly idempotencyKey: string }) => ({ 'idempotency-key': idempotencyKey });

/** Getlabs through its public API, if an operator has configured it. */
export const getlabs: PartnerMaker = ({ clock, http, settings: given }) => {
  const settings = readGetlabsSettings(given?.['getlabs']);
  if (!settings || !http) return null;
  const session = createGetlabsSession(settings, http, clock);
  const reasons = reasonsOf('getlabs', getlabsReasons);

  async function write(method: 'POST' | 'PATCH', path: string, request: BookRequest): Promise<PartnerAppointment> {
    const { patient, signal } = request;
    const json = wire.bookingBody(request, await patientIdOf(session, patient, signal));
    return appointmentOf(await session.call({ method, path, json, headers: keyed(request), signal }));
  }

  const partner: SchedulingPartner = {
    kind: 'phlebotomy',
    slug: 'getlabs',
    isSimulated: false,
    tiers: ['appointment-ready'],
    cancellationReasons: reasons,
    confirmationMs: 20_000,
    async findSlots({ address, from, to, timeZone, signal }) {
      if (address === null) return [];
      const query = wire.availabilityQuery(address, from, to);
      return wire.readSlots(await session.call({ method: 'GET', path: wire.paths.availability, query, signal }), { from, to, timeZone });
    },
    book: (request) => write('POST', wire.paths.appointments, request),
    async findBookings({ appointmentId, signal }) {
      const query = { externalId: appointmentId };
      return wire.readAppointments(await session.call({ method: 'GET', path: wire.paths.appointments, query, signal }));
    },
    reschedule: (request) => write('PATCH', wire.paths.appointment(request.providerId), request),
    async cancel({ providerId, reasonId, note, signal, ...call }) {
      const reason = reasons.find((known) => known.reasonId === reasonId)?.name ?? 'Other';
      const json = { cancellationReasonId: reasonId, reason, note };
      const path = wire.paths.cancellation(providerId);
      // An appointment that no longer exists counts as cancelled.
      await session.call({ method: 'POST', path, json, headers: keyed(call), signal });
    },
    async get({ providerId, signal }) {
      return wire.readAppointment(await session.call({ method: 'GET', path: wire.paths.appointment(providerId), signal }));
    },
    // Only the id of a webhook is used, so repeats and order do not matter.
    async readPush({ headers, body }) {
      assertSigned(settings, headers[wire.signatureHeader], body);
      const providerId = wire.readNotice(parseJson(body));
      return providerId === null ? [] : [{ providerId }];
    },
  };
  return partner;
};
