import { isUuid } from '@pulsewire/kernel';
import { fileTypeOf } from '../../model/file-type.ts';
import type { LabNotice, LabOrderRequest, PartnerFile, PartnerMissing, PartnerResult, PlacedOrder, ReportedPatient } from '../partner.ts';
import { dateOf, dayOf, faultOf, listOf, objectOf, oneOf, textOf, type Json } from './fields.ts';

const noticesMax = 100;
const resultsMax = 2000;
/** Of an advance beneficiary notice. */
const abnBytesMax = 2_000_000;

const fileBody = (file: PartnerFile | null) => file && { content: file.content.toString('base64'), content_type: file.contentType };

export function orderBody(lab: string, order: LabOrderRequest): Json {
  const { patient, address, physician, insuranceImages } = order;
  return {
    lab,
    account_number: order.accountNumber,
    sample_id: order.sampleId,
    collection_method: order.collectionMethod,
    billing_type: order.billingType,
    tests: order.providerIds,
    is_urgent: order.isUrgent,
    is_fasting: order.isFasting,
    clinical_notes: order.clinicalNotes,
    icd_codes: order.icdCodes,
    answers: order.answers,
    patient: {
      first_name: patient.firstName,
      last_name: patient.lastName,
      birth_date: patient.birthDate,
      gender: patient.gender,
      phone_number: patient.phoneNumber,
      email: patient.email,
      address: {
        first_line: address.firstLine,
        second_line: address.secondLine,
        city: address.city,
        state: address.state,
        zip: address.zipCode,
      },
    },
    physician: physician && {
      first_name: physician.firstName,
      last_name: physician.lastName,
      npi: physician.npi,
      signature: fileBody(order.physicianSignature),
    },
    insurance: order.insurance && {
      ...order.insurance,
      front: fileBody(insuranceImages.front),
      back: fileBody(insuranceImages.back),
      patient_signature: fileBody(insuranceImages.patientSignature),
    },
  };
}

function abnOf(value: unknown): PartnerFile | null {
  const encoded = textOf(value, Math.ceil((abnBytesMax * 4) / 3) + 4);
  const content = encoded === null ? null : Buffer.from(encoded, 'base64');
  return content !== null && fileTypeOf(content) === 'application/pdf' ? { contentType: 'application/pdf', content } : null;
}

/** Null when the response contains no requisition. */
export function readPlaced(body: unknown): PlacedOrder | null {
  const placed = objectOf(body);
  const sampleId = textOf(placed['sample_id'], 100);
  return sampleId === null ? null : { sampleId, abn: abnOf(placed['abn_pdf']) };
}

function readResult(item: unknown, at: Date): readonly PartnerResult[] {
  const result = objectOf(item);
  const [providerId, value] = [textOf(result['code']), textOf(result['value'], 10_000)];
  if (providerId === null || value === null) return [];
  return [
    {
      providerId,
      value,
      name: textOf(result['name']),
      unit: textOf(result['unit']),
      referenceRange: textOf(result['reference_range']),
      flag: textOf(result['flag']),
      note: textOf(result['note'], 10_000),
      at: dateOf(result['at']) ?? at,
    },
  ];
}

function readMissing(item: unknown): readonly PartnerMissing[] {
  const missing = objectOf(item);
  const providerId = textOf(missing['code']);
  return providerId === null
    ? []
    : [{ providerId, failure: textOf(missing['failure']) ?? 'unknown_failure', note: textOf(missing['note'], 10_000) }];
}

const states = ['accepted', 'collected', 'received', 'blocked', 'sample_error', 'redraw', 'cancelled'] as const;
const reportStates = ['partial', 'final', 'corrected'] as const;

const incomplete = (item: unknown): LabNotice => ({ kind: 'unreadable', reason: 'incomplete', item });

/** Null only when the report has no patient at all: a patient that cannot be read may be anybody, and matches nobody. */
function readPatient(value: unknown): ReportedPatient | null {
  if (value === undefined || value === null) return null;
  const person = objectOf(value);
  return {
    firstName: textOf(person['first_name']),
    lastName: textOf(person['last_name']),
    birthDate: dayOf(person['birth_date']),
    gender: textOf(person['gender']),
  };
}

function readReport(orderId: string | null, notice: Json, at: Date): LabNotice {
  const report = objectOf(notice['report']);
  const [sampleId, status] = [textOf(notice['sample_id'], 100), oneOf(reportStates, report['status'])];
  if (sampleId === null || status === 'unknown') return incomplete(notice);
  return {
    kind: 'results',
    orderId,
    sampleId,
    status,
    patient: readPatient(report['patient']),
    results: listOf(report['results'], resultsMax).flatMap((item) => readResult(item, at)),
    missing: listOf(report['missing'], resultsMax).flatMap(readMissing),
    collectedAt: dateOf(report['collected_at']),
    at,
  };
}

function readNotice(item: unknown): readonly LabNotice[] {
  const notice = objectOf(item);
  const reason = faultOf(item);
  if (reason !== null) return [{ kind: 'unreadable', reason, item }];
  const { kind } = notice;
  // Labs may send kinds that we do not know yet.
  if (kind !== 'results' && kind !== 'state') return [];
  const [orderId, at] = [textOf(notice['order_id'], 36), dateOf(notice['at'])];
  // An order id that cannot be read is not the same as none, which results may lack.
  const isOrderUnreadable = notice['order_id'] != null && (orderId === null || !isUuid(orderId));
  if (at === null || isOrderUnreadable) return [incomplete(item)];
  if (kind === 'results') return [readReport(orderId, notice, at)];
  if (orderId === null) return [incomplete(item)];
  const state = oneOf(states, notice['state']);
  return [{ kind: 'state', orderId, sampleId: textOf(notice['sample_id'], 100), state, detail: textOf(notice['detail']), at }];
}

/** The notices of a webhook, without those of unknown kinds. */
export function readNotices(body: unknown): readonly LabNotice[] {
  return listOf(objectOf(body)['notices'], noticesMax).flatMap(readNotice);
}
