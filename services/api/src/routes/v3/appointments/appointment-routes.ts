import type { Route } from '../../../route/route.ts';
import { bookAtCenterRoute } from './centers/book-at-center.ts';
import { cancelAtCenterRoute } from './centers/cancel-at-center.ts';
import { findCenterSlotsRoute } from './centers/find-center-slots.ts';
import { getCenterAppointmentRoute } from './centers/get-center-appointment.ts';
import { listCenterReasonsRoute } from './centers/list-center-reasons.ts';
import { rescheduleAtCenterRoute } from './centers/reschedule-at-center.ts';
import { receivePartnerPushRoute } from './partners/receive-partner-push.ts';
import { bookVisitRoute } from './home/book-visit.ts';
import { cancelVisitRoute } from './home/cancel-visit.ts';
import { findHomeSlotsRoute } from './home/find-home-slots.ts';
import { getVisitRoute } from './home/get-visit.ts';
import { listVisitReasonsRoute } from './home/list-visit-reasons.ts';
import { requestVisitRoute } from './home/request-visit.ts';
import { rescheduleVisitRoute } from './home/reschedule-visit.ts';

export const appointmentRoutes: readonly Route[] = [
  findHomeSlotsRoute,
  listVisitReasonsRoute,
  getVisitRoute,
  bookVisitRoute,
  requestVisitRoute,
  rescheduleVisitRoute,
  cancelVisitRoute,
  findCenterSlotsRoute,
  listCenterReasonsRoute,
  getCenterAppointmentRoute,
  bookAtCenterRoute,
  rescheduleAtCenterRoute,
  cancelAtCenterRoute,
  receivePartnerPushRoute,
];
