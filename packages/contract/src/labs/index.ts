export * from './enums.ts';
export { LabAccountsBody, LabsBody, LabTest, LabTestsBody, LabTestsPage, Marker, MarkersPage } from './catalogue.ts';
export {
  AllLabTestsQuery,
  CreateLabTestBody,
  LabAccountQuery,
  LabAccountsQuery,
  LabMarkerParams,
  LabTestParams,
  LabTestsQuery,
  MarkersQuery,
  OrderSetMarkersBody,
  PageQuery,
  UpdateLabTestBody,
} from './catalogue-requests.ts';
export { AreaInfoBody, AreaInfoQuery, CenterInfoBody, CenterInfoQuery, LngLat, OrderCenterQuery } from './areas.ts';
export { OrderTracking } from './order-tracking.ts';
export { BiomarkerResult, CriticalResult, MissingResult, ResultHistoryBody, ResultsBody, ResultsMetadata } from './results.ts';
export {
  AcceptResultBody,
  MatchReview,
  ResolveResultBody,
  UnmatchedResult,
  UnmatchedResultParams,
  UnmatchedResultsPage,
  UnmatchedResultsQuery,
} from './unmatched-results.ts';
export { ParsedReportData, ParsingJob } from './parsing-job.ts';
export {
  AppointmentAddressInput,
  BookAppointmentBody,
  CancelAtCenterBody,
  CancelVisitBody,
  CenterAvailabilityQuery,
  HomeAvailabilityQuery,
  RequestAppointmentBody,
  RescheduleAppointmentBody,
} from './appointment-requests.ts';
export { Appointment, AvailabilityBody, CancellationReasonsBody } from './appointments.ts';
export { Order, OrderCreatedBody, OrdersPage, OrderTransactionBody, ResentBody } from './orders.ts';
export {
  CommunicationSettings,
  CommunicationSettingsBody,
  CreateOrderBody,
  IdempotencyHeaders,
  ImportOrderBody,
  LabelsQuery,
  OrderKitBody,
  OrderParams,
  OrdersQuery,
  RegisterKitBody,
  ResendEventsBody,
  SimulationBody,
  SimulationQuery,
  TransactionParams,
  UpdateOrderBody,
} from './order-requests.ts';
export { CreateInsuranceBody, InsuranceBody, InsuranceQuery, UserInfoBody, UserInfoInput } from './demographics.ts';
