import { bookAppointment } from './appointments/calls/book-appointment.ts';
import { cancelAppointmentCall } from './appointments/calls/cancel-appointment.ts';
import { moveAppointment } from './appointments/calls/move-appointment.ts';
import { releaseBooking } from './appointments/calls/release-booking.ts';
import { releaseDuplicates } from './appointments/calls/release-duplicates.ts';
import { watchAppointment } from './appointments/calls/watch-appointment.ts';
import { placeOrder } from './fulfilment/place-order.ts';
import { shipKit } from './fulfilment/ship-kit.ts';
import { withdrawKit, withdrawOrder } from './fulfilment/withdraw.ts';
import type { JobKind } from './jobs/job.ts';

/** Every kind of call to a partner that workers make; one line per kind. Jobs of kinds not listed here are never claimed. */
export const allJobKinds: readonly JobKind[] = [
  bookAppointment,
  moveAppointment,
  cancelAppointmentCall,
  releaseBooking,
  releaseDuplicates,
  watchAppointment,
  placeOrder,
  withdrawOrder,
  shipKit,
  withdrawKit,
];
