import { eq } from 'drizzle-orm';
import { run, type Executor } from '@pulsewire/database';
import { partnerPatient } from '../orders/partner-patient.ts';
import type { LabsContext } from '../context/context.ts';
import { labAccounts } from '../model/catalogue-tables.ts';
import { readOrderFiles, type FilePart } from '../orders/files/order-files.ts';
import type { OrderView } from '../orders/read/read-orders.ts';
import type { LabOrderRequest, PartnerAddress } from '../partners/partner.ts';

type Fields = Readonly<Record<string, unknown>> | null;

const textOf = (fields: Fields, key: string): string => (typeof fields?.[key] === 'string' ? fields[key] : '');
const textOrNull = (fields: Fields, key: string): string | null => textOf(fields, key) || null;

/** An address of a request as partners receive it. */
export function addressOf(address: Fields): PartnerAddress {
  return {
    firstLine: textOf(address, 'first_line'),
    secondLine: textOrNull(address, 'second_line'),
    city: textOf(address, 'city'),
    state: textOf(address, 'state'),
    zipCode: textOf(address, 'zip'),
    accessNotes: textOrNull(address, 'access_notes'),
  };
}

/** The order's answers with the lab's codes of their questions. */
function answersOf({ secrets, test }: OrderView): LabOrderRequest['answers'] {
  return secrets.answers.flatMap(({ markerId, questionId, answer }) => {
    const marker = test.markers.find((known) => known.markerId === markerId);
    const question = (marker?.questions ?? []).find(({ id }) => id === questionId);
    return question ? [{ code: question.code, answer }] : [];
  });
}

/** An order with everything that its lab needs. */
export async function labRequestOf(
  executor: Executor,
  context: LabsContext,
  view: OrderView,
  call: Pick<LabOrderRequest, 'idempotencyKey' | 'signal'>,
): Promise<LabOrderRequest> {
  const { order, secrets, test } = view;
  const [account] =
    order.labAccountId === null
      ? []
      : await run(executor.orm.select().from(labAccounts).where(eq(labAccounts.labAccountId, order.labAccountId)));
  const parts = ['physician_signature', 'insurance_front', 'insurance_back', 'patient_signature'] as const;
  const files = await readOrderFiles(executor, context, order.orderId, parts);
  const file = (wanted: FilePart) => files.find(({ part }) => part === wanted) ?? null;
  const { physician } = secrets;
  return {
    ...call,
    orderId: order.orderId,
    sampleId: order.sampleId,
    collectionMethod: order.method,
    billingType: order.billingType,
    accountNumber: account?.providerAccountId ?? '',
    patient: partnerPatient(secrets.patient ?? {}),
    address: addressOf(secrets.address),
    providerIds: test.markers.map(({ providerId }) => providerId),
    clinicalNotes: secrets.clinicalNotes,
    icdCodes: secrets.icdCodes ?? [],
    isUrgent: order.priority,
    isFasting: test.fasting,
    answers: answersOf(view),
    physician: physician && {
      firstName: textOf(physician, 'first_name'),
      lastName: textOf(physician, 'last_name'),
      npi: textOf(physician, 'npi'),
    },
    physicianSignature: file('physician_signature'),
    insurance: secrets.healthInsurance ?? null,
    insuranceImages: { front: file('insurance_front'), back: file('insurance_back'), patientSignature: file('patient_signature') },
  };
}
