import { uuidv5, utcDay } from '@pulsewire/kernel';
import { renderDateTime } from '@pulsewire/contract';
import { renderLabTest } from '../../catalogue/render.ts';
import type { OrderEvent, OrderView } from './read-orders.ts';
import { highLevel } from '../statuses/status.ts';
import type { Shipment } from '../files/shipments.ts';
import type { Transaction } from './transactions.ts';

const at = (date: Date) => renderDateTime(date.getTime());

function pick(from: Readonly<Record<string, unknown>> | null, keys: readonly string[]): Record<string, unknown> | null {
  return from && Object.fromEntries(keys.map((key) => [key, from[key] ?? null]));
}

const addressKeys = ['first_line', 'second_line', 'country', 'zip', 'city', 'state', 'access_notes'];
const patientKeys = ['first_name', 'last_name', 'dob', 'gender', 'phone_number', 'email', 'medical_proxy'];
const demographicKeys = ['race', 'ethnicity', 'sexual_orientation', 'gender_identity'];
const proxyKeys = ['first_name', 'last_name', 'address', 'phone_number', 'household_income', 'household_size', 'email'];

function renderPatient(patient: Readonly<Record<string, unknown>> | null) {
  if (patient === null) return null;
  const proxy = (patient['medical_proxy'] ?? null) as Readonly<Record<string, unknown>> | null;
  const address = (proxy?.['address'] ?? null) as Readonly<Record<string, unknown>> | null;
  return {
    ...pick(patient, [...patientKeys, ...demographicKeys]),
    dob: `${String(patient['dob'])}T00:00:00+00:00`,
    medical_proxy: proxy && { ...pick(proxy, proxyKeys), address: pick(address, addressKeys) },
  };
}

function renderAddress(address: Readonly<Record<string, unknown>> | null) {
  const rest = ['first_line', 'second_line', 'city', 'state', 'zip', 'country', 'access_notes', 'phone_number'];
  return address && { receiver_name: address['receiver_name'] ?? '', ...pick(address, rest) };
}

function renderOrderEvent({ eventId, createdAt, status, statusDetail }: OrderEvent) {
  return { id: eventId, created_at: at(createdAt), status, status_detail: statusDetail };
}

export function renderTransaction({ transactionId, status, orders }: Transaction) {
  return {
    id: transactionId,
    status,
    orders: orders.map((order) => ({
      id: order.orderId,
      low_level_status: order.lowLevelStatus,
      low_level_status_created_at: at(order.statusAt),
      origin: order.origin,
      parent_id: order.parentId,
      created_at: at(order.createdAt),
      updated_at: at(order.updatedAt),
    })),
  };
}

function renderShipment(shipment: Shipment) {
  return {
    id: shipment.shipmentId,
    outbound_tracking_number: shipment.outboundTrackingNumber,
    outbound_tracking_url: shipment.outboundTrackingUrl,
    inbound_tracking_number: shipment.inboundTrackingNumber,
    inbound_tracking_url: shipment.inboundTrackingUrl,
    outbound_courier: shipment.outboundCourier,
    inbound_courier: shipment.inboundCourier,
    notes: shipment.notes,
  };
}

function renderDetails({ order, appointmentId, shipment }: OrderView) {
  const withAppointment = order.method === 'walk_in_test' || order.method === 'at_home_phlebotomy';
  return {
    type: order.method,
    data: {
      id: uuidv5(order.orderId, 'details'),
      ...(order.method === 'testkit' && { shipment: shipment && renderShipment(shipment) }),
      ...(withAppointment && { appointment_id: appointmentId }),
      created_at: at(order.createdAt),
      updated_at: at(order.updatedAt),
    },
  };
}

/** The day a number of days after another; null when either is unknown. */
function dayAfter(day: string | null, days: number | null): string | null {
  if (day === null || days === null) return null;
  return utcDay(Date.parse(`${day}T00:00:00Z`) + days * 86_400_000);
}

/** An order as responses and events show it. Keys are in the order of the schema, which Avro readers require. */
export function renderOrder(view: OrderView) {
  const { order, secrets, events, test, transaction } = view;
  const labTest = renderLabTest(test, { withMarkers: false });
  const rendered = events.map(renderOrderEvent);
  return {
    user_id: order.userId,
    id: order.orderId,
    team_id: order.teamId,
    patient_details: renderPatient(secrets.patient),
    patient_address: renderAddress(secrets.address),
    lab_test: labTest,
    details: renderDetails(view),
    sample_id: order.sampleId,
    notes: null,
    clinical_notes: secrets.clinicalNotes,
    created_at: at(order.createdAt),
    updated_at: at(order.updatedAt),
    events: rendered,
    status: highLevel(order.status),
    last_event: rendered.at(-1),
    physician: pick(secrets.physician, ['first_name', 'last_name', 'npi']),
    health_insurance_id: secrets.healthInsurance ? uuidv5(order.orderId, 'health_insurance') : null,
    requisition_form_url: null,
    priority: order.priority,
    shipping_details: secrets.shipping,
    activate_by: order.activateBy,
    passthrough: secrets.passthrough,
    billing_type: order.billingType,
    icd_codes: secrets.icdCodes,
    has_abn: order.hasAbn,
    interpretation: order.interpretation,
    has_missing_results: order.hasMissingResults,
    expected_result_by_date: dayAfter(order.collectedOn, labTest.common_tat_days),
    worst_case_result_by_date: dayAfter(order.collectedOn, labTest.worst_case_tat_days),
    origin: order.origin,
    order_transaction: renderTransaction(transaction),
  };
}
