import { utcDay } from '@pulsewire/kernel';
import type { Requisition } from '@pulsewire/labs';
import { Sheet } from './layout/sheet.ts';

type Person = Readonly<Record<string, unknown>> | null;

const text = (from: Person, key: string) => (typeof from?.[key] === 'string' && from[key] !== '' ? from[key] : null);
const nameOf = (person: Person) => person && [text(person, 'first_name'), text(person, 'last_name')].filter(Boolean).join(' ');

function addressOf(address: Person): string | null {
  if (address === null) return null;
  const lines = ['first_line', 'second_line', 'city', 'state', 'zip'].map((key) => text(address, key));
  return lines.filter((part) => part !== null).join(', ');
}

function insuranceFields(insurance: NonNullable<Person>): (readonly [string, string | null])[] {
  const responsible = (insurance['responsible_details'] ?? null) as Person;
  const codes = Array.isArray(insurance['diagnosis_codes']) ? insurance['diagnosis_codes'].join(', ') : null;
  return [
    ['Payor', text(insurance, 'payor_code')],
    ['Insurance', text(insurance, 'insurance_id')],
    ['Relationship', text(insurance, 'responsible_relationship')],
    ['Responsible', nameOf(responsible)],
    ['Phone', text(responsible, 'phone_number')],
    ['Diagnoses', codes],
  ];
}

/** The information that a lab needs to test the sample of an order. */
export async function requisitionDocument({ view, account, createdAt, signature }: Requisition, isSimulated: boolean): Promise<Uint8Array> {
  const { order, secrets, test } = view;
  const { patient, address, physician, answers, icdCodes, clinicalNotes } = secrets;
  const sheet = await Sheet.create({
    title: 'Laboratory requisition',
    at: createdAt,
    footer: `Order ${order.orderId}`,
    isSimulated,
  });
  const questions = test.markers.flatMap(({ markerId, questions: asked }) => (asked ?? []).map((question) => ({ markerId, question })));
  if (order.sampleId !== null) sheet.barCode(order.sampleId);
  sheet
    .fields([
      ['Laboratory', test.lab.name],
      ['Account', account?.providerAccountId ?? null],
      ['Collection', order.method.replaceAll('_', ' ')],
      ['Sample', test.sampleType.replaceAll('_', ' ')],
      ['Priority', order.priority ? 'STAT' : 'routine'],
      ['Fasting', test.fasting ? 'yes' : 'no'],
      ['Billing', order.billingType.replaceAll('_', ' ')],
      ['Ordered', utcDay(order.createdAt)],
    ])
    .heading('Patient')
    .fields([
      ['Name', nameOf(patient)],
      ['DOB', text(patient, 'dob')],
      ['Sex', text(patient, 'gender')],
      ['Phone', text(patient, 'phone_number')],
      ['Email', text(patient, 'email')],
      ['Address', addressOf(address)],
    ]);
  if (physician !== null)
    sheet.heading('Physician').fields([
      ['Name', nameOf(physician)],
      ['NPI', text(physician, 'npi')],
    ]);
  if (signature !== null) await sheet.picture(signature);
  const insurance = secrets.healthInsurance ?? null;
  if (insurance !== null) sheet.heading('Insurance').fields(insuranceFields(insurance));
  sheet.heading('Tests').table(
    [
      { title: 'Code', share: 0.2 },
      { title: 'Test', share: 0.5 },
      { title: 'Sample', share: 0.3 },
    ],
    test.markers.map(({ providerId, name, sampleType }) => [providerId, name, sampleType.replaceAll('_', ' ')]),
  );
  if (icdCodes !== null && icdCodes.length > 0) sheet.heading('Diagnoses (ICD-10)').text(icdCodes.join(', '));
  if (answers.length > 0) {
    const asked = (markerId: number, questionId: number) =>
      questions.find((one) => one.markerId === markerId && one.question.id === questionId)?.question.value ?? String(questionId);
    sheet.heading('Answers').fields(answers.map(({ markerId, questionId, answer }) => [asked(markerId, questionId), answer]));
  }
  if (clinicalNotes !== null) sheet.heading('Clinical notes').text(clinicalNotes);
  return sheet.save();
}
