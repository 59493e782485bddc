export { labSealedColumns } from './model/sealed-columns.ts';
export type { LabOwners, LabsContext, LabTeam, LabUser } from './context/context.ts';
export { loadLabData } from './maintenance/load-lab-data.ts';
export { findLabBySlug, getLab, listLabs, type LabRow } from './catalogue/lab.ts';
export {
  getMarker,
  listMarkers,
  pageOfMarkers,
  withResults,
  findMarkers,
  type ExpectedResult,
  type MarkerPage,
  type MarkerRow,
  type MarkerWithResults,
} from './catalogue/markers.ts';
export { getLabTest, listLabTests, type LabTest, type LabTestFilter } from './catalogue/lab-tests.ts';
export { createLabTest } from './catalogue/create-lab-test.ts';
export { updateLabTest } from './catalogue/update-lab-test.ts';
export { ensureSandboxTests } from './catalogue/sandbox-tests.ts';
export { resolveOrderSet, type OrderSet } from './catalogue/order-set.ts';
export { getLabAccount, listLabAccounts, type LabAccount } from './accounts/lab-accounts.ts';
export { createLabAccount, type NewLabAccount } from './accounts/put-lab-account.ts';
export { findPhlebotomists, readAreaInfo, readCenters, type AreaInfo } from './areas/area-info.ts';
export type { ServiceCenter } from './areas/find-centers.ts';
export { findZipArea, type ZipArea } from './areas/zip-area.ts';
export { importCenters } from './areas/import-centers.ts';
export { allPartners } from './partners/all-partners.ts';
export { checkPartners, labPartnerConfig, partnerSettings, type LabPartnerConfig } from './partner-config.ts';
export { oldestDueMs } from './jobs/job-queue.ts';
export { createPartnerDirectory, type PartnerDirectory, type PartnerMaker, type PartnerSetup } from './partners/directory.ts';
export { allJobKinds } from './all-job-kinds.ts';
export { createJobWorker, type JobWorker } from './jobs/work-jobs.ts';
export type { JobKind, JobOutcome, JobRunner, PartnerJob } from './jobs/job.ts';
export type { BookRequest, Partner, PartnerAppointment, SchedulingPartner } from './partners/partner.ts';
export { addressOfCenter, findCenterSlots, type CenterDay } from './appointments/availability/find-center-slots.ts';
export { findHomeSlots, type OfferedSlot } from './appointments/availability/find-slots.ts';
export { listCancellationReasons } from './appointments/availability/cancellation-reasons.ts';
export { book, type BookingOutcome, type ConfirmationWait } from './appointments/requests/book.ts';
export { requestVisit } from './appointments/requests/request-visit.ts';
export { rescheduleAppointment } from './appointments/requests/reschedule.ts';
export { assignHeldNotice } from './notices/apply-lab-notice.ts';
export { dropHeldNotice, expireHeldNotices, getHeldNotice, listHeldNotices } from './notices/held-notices.ts';
export { receivePartnerPush } from './notices/receive-partner-push.ts';
export { cancelAppointment } from './appointments/requests/cancel.ts';
export { getActiveAppointment } from './appointments/model/read-appointments.ts';
export type { AppointmentType } from './appointments/model/appointment.ts';
export { renderAppointment } from './appointments/model/render-appointment.ts';
export { createReport, type NewReport } from './uploaded-reports/create-report.ts';
export { getReport } from './uploaded-reports/find-report.ts';
export { renderReport, type ReportFailure, type ReportRow } from './uploaded-reports/report-job.ts';
export { reportBytesMax, reportFilesMax, type ReportFile } from './uploaded-reports/report-files.ts';
export type { ReportOutcome } from './uploaded-reports/finish-report.ts';
export { listReportsInReview } from './uploaded-reports/list-in-review.ts';
export { completeReview, readDoubtfulResults, readReportInReview } from './uploaded-reports/review-report.ts';
export { workReport, workReports, type ParseReport, type ReportWorkerOptions } from './uploaded-reports/work-reports.ts';
export { listAnalytes, type CatalogueAnalyte } from './uploaded-reports/list-analytes.ts';
export type { ReportContext } from './uploaded-reports/live-user.ts';
export { renderLab, renderLabTest, renderLabTestPricing, renderMarker, renderMarkerPage } from './catalogue/render.ts';
export { renderLabAccount } from './accounts/render.ts';
export { createOrder, type NewOrder } from './orders/create-order.ts';
export { orderKit, type NewKit } from './kits/order-kit.ts';
export { registerKit, type KitRegistration } from './kits/register-kit.ts';
export { completeDraw } from './orders/complete-draw.ts';
export { putCommunicationSettings } from './orders/communication-settings.ts';
export { readOrders, getOrder, type OrderView } from './orders/read/read-orders.ts';
export { renderOrder } from './orders/read/render-order.ts';
export { listOrders } from './orders/read/list-orders.ts';
export type { OrderFilter } from './orders/read/order-conditions.ts';
export { cancelOrder } from './appointments/requests/cancel-order.ts';
export { rescheduleOrder } from './orders/reschedule-order.ts';
export { resendOrderEvents } from './orders/resend-events.ts';
export { checkSimulation, simulateOrder } from './simulation/simulate-order.ts';
export { readRequisition, type Requisition } from './orders/read/read-requisition.ts';
export { readAbn } from './orders/read/read-abn.ts';
export type { OrderFile } from './orders/files/order-files.ts';
export { readTracking } from './orders/order-tracking.ts';
export { readResults, readTransactionResults, type ResultsView } from './results/read-results.ts';
export { takeReport, type TakenReport } from './matching/take-report.ts';
export type { IncomingReport } from './matching/report.ts';
export { readReportFile } from './matching/read-report-file.ts';
export { getUnmatchedResult, listUnmatchedResults } from './matching/read-unmatched.ts';
export { renderUnmatchedResult } from './matching/render-unmatched.ts';
export { acceptUnmatchedResult, resolveUnmatchedResult } from './matching/resolve-unmatched.ts';
export { renderResultHistory, renderResults, renderResultsMetadata } from './results/render-results.ts';
export { readTransaction } from './orders/read/transactions.ts';
export { claimRequest, completeRequest, releaseRequest, whileClaimed, type RequestClaim } from './orders/idempotent-requests.ts';
export { cancelBookings, endBookings } from './appointments/requests/end-bookings.ts';
export { eraseLabsOfUser } from './maintenance/erase-user.ts';
export { eraseLabsOfTeam } from './maintenance/erase-team.ts';
export { countOrders } from './orders/read/count-orders.ts';
export { allStatuses, isOrderStatus, lowLevel, statusesOf } from './orders/statuses/status.ts';
export type { OrderStatus } from './model/order-status-words.ts';
export { putUserInfo, readUserInfo } from './demographics/user-info.ts';
export { putUserInsurance, readUserInsurance } from './demographics/user-insurance.ts';
export { labSlugs } from './catalogue/seeds/labs.ts';
