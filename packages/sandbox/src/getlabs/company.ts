import { randomUUID } from 'node:crypto';
import type { GetlabsAppointment } from './types.ts';

type Body = Readonly<Record<string, unknown>>;

export interface Reply {
  readonly status: number;
  readonly body: object;
}

const windowMs = 7_200_000;
const windowHours = [14, 16, 18, 20];
const hidden = ({ request: _request, ...shown }: GetlabsAppointment) => shown;

/** The state of the company. */
export interface Company {
  readonly appointments: GetlabsAppointment[];
  slots(zipcode: string, from: string, to: string): object[];
  book(body: Body, isPending: boolean): Reply;
  move(id: string, body: Body): Reply;
  cancel(id: string): Reply;
  find(id: string): Reply;
  list(externalId: string): Reply;
}

const notFound: Reply = { status: 404, body: { message: 'Not found' } };
const invalid: Reply = { status: 400, body: { message: 'Invalid slot or patient' } };

function timesOf(slotId: unknown): { readonly start: string; readonly end: string } | null {
  const startMs = Number(/^slot-(\d+)$/.exec(String(slotId))?.[1]);
  return Number.isNaN(startMs) ? null : { start: new Date(startMs).toISOString(), end: new Date(startMs + windowMs).toISOString() };
}

export function createCompany(): Company {
  const appointments: GetlabsAppointment[] = [];
  const known = (id: string) => appointments.find((appointment) => appointment.id === id);
  return {
    appointments,
    slots(_zipcode, from, to) {
      const days = Math.min(60, Math.round((Date.parse(to) - Date.parse(from)) / 86_400_000) + 1);
      return Array.from({ length: days }, (_, day) => Date.parse(from) + day * 86_400_000).flatMap((midnight) =>
        windowHours.map((hour) => {
          const startMs = midnight + hour * 3_600_000;
          return { id: `slot-${startMs}`, ...timesOf(`slot-${startMs}`), price: 3500, isPriority: false, available: 2 };
        }),
      );
    },
    book(body, isPending) {
      const times = timesOf(body['slotId']);
      if (times === null || typeof body['patientId'] !== 'string') return invalid;
      const externalId = String(body['externalId']);
      const appointment: GetlabsAppointment = {
        id: randomUUID(),
        externalId,
        status: isPending ? 'pending' : 'scheduled',
        ...times,
        request: body,
      };
      appointments.push(appointment);
      return { status: 201, body: hidden(appointment) };
    },
    move(id, body) {
      const [appointment, times] = [known(id), timesOf(body['slotId'])];
      if (!appointment || appointment.status === 'canceled') return notFound;
      if (times === null) return invalid;
      Object.assign(appointment, { ...times, status: 'scheduled', request: body });
      return { status: 200, body: hidden(appointment) };
    },
    cancel(id) {
      const appointment = known(id);
      if (!appointment) return notFound;
      if (appointment.status === 'in_progress' || appointment.status === 'completed') return { status: 422, body: { message: 'Too late' } };
      appointment.status = 'canceled';
      return { status: 200, body: hidden(appointment) };
    },
    find(id) {
      const appointment = known(id);
      return appointment ? { status: 200, body: hidden(appointment) } : notFound;
    },
    list: (externalId) => ({
      status: 200,
      body: { appointments: appointments.filter((appointment) => appointment.externalId === externalId).map(hidden) },
    }),
  };
}
