/** An event type that is not derived from a resource. */
export interface LifecycleEvent {
  readonly eventType: string;
  /** Resource name of its family; null for events about delivery. */
  readonly family: string | null;
  /** Without a user the envelope has three keys. */
  readonly hasUser: boolean;
  /** Only sent to endpoints that name its type; "all types" does not include it. */
  readonly isOperational: boolean;
}

function userEvent(family: string, ...eventTypes: string[]): LifecycleEvent[] {
  return eventTypes.map((eventType) => ({ eventType, family, hasUser: true, isOperational: false }));
}

function teamEvent(family: string, ...eventTypes: string[]): LifecycleEvent[] {
  return eventTypes.map((eventType) => ({ eventType, family, hasUser: false, isOperational: false }));
}

function operational(...eventTypes: string[]): LifecycleEvent[] {
  return eventTypes.map((eventType) => ({ eventType, family: null, hasUser: false, isOperational: true }));
}

/** Lifecycle events other than health data, and our events about deliveries. */
export const lifecycleEvents: readonly LifecycleEvent[] = [
  ...userEvent('connection', 'provider.connection.created', 'provider.connection.error'),
  ...userEvent('device', 'provider.device.created', 'provider.device.updated'),
  ...userEvent('order', 'labtest.order.created', 'labtest.order.updated', 'labtest.order_tracking.updated'),
  ...userEvent('appointment', 'labtest.appointment.created', 'labtest.appointment.updated'),
  ...userEvent('result', 'labtest.result.critical'),
  ...teamEvent('match_review', 'labtest.match_review.created', 'labtest.match_review.updated'),
  ...userEvent('result', 'lab_report.parsing_job.created', 'lab_report.parsing_job.updated'),
  ...operational('message.attempt.exhausted', 'endpoint.failing', 'endpoint.disabled', 'endpoint.enabled'),
];
