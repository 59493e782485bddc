import type { LabTest } from '@pulsewire/labs';
import { Sheet } from './layout/sheet.ts';

const steps: Readonly<Record<string, readonly string[]>> = {
  testkit: [
    'Read all of this page before you open the kit.',
    'Wash your hands with warm water and dry them.',
    'Collect the sample as the leaflet in the kit shows.',
    'Write your name, your date of birth, and the day and time on the label.',
    'Seal the sample in the bag, and send it back on the same day with the label that came with the kit.',
  ],
  walk_in_test: [
    'Take the requisition and a photo identification with you to a service center of the laboratory.',
    'Drink water before you go, unless you were told otherwise.',
    'Tell the staff which medicines you take.',
  ],
  at_home_phlebotomy: [
    'Have a photo identification at hand when the phlebotomist comes.',
    'Keep a table and a chair free in a place with good light.',
    'Drink water beforehand, and tell the phlebotomist which medicines you take.',
  ],
  on_site_collection: [
    'Check name and date of birth of the patient against the requisition.',
    'Put a label on each tube in the presence of the patient.',
    'Store and send the sample as the laboratory asks for this type.',
  ],
};

const ofSample: Readonly<Record<string, string>> = {
  saliva: 'Do not eat, drink, smoke or brush your teeth in the 30 minutes before.',
  urine: 'Collect midstream urine in the clean cup.',
  stool: 'Do not let the sample touch water or urine.',
  dried_blood_spot: 'Fill every circle on the card completely, and let it dry in the air for three hours.',
};

/** How the sample of a test is taken. */
export async function instructionsDocument(test: LabTest, at: Date, isSimulated: boolean): Promise<Uint8Array> {
  const sheet = await Sheet.create({ title: 'How to collect the sample', at, footer: test.name, isSimulated });
  sheet.text(test.name, { size: 12 }).fields([
    ['Laboratory', test.lab.name],
    ['Sample', test.sampleType.replaceAll('_', ' ')],
    ['Fasting', test.fasting ? 'yes, eight hours' : 'not needed'],
  ]);
  const all = [
    ...(test.fasting ? ['Do not eat or drink anything but water in the eight hours before.'] : []),
    ...(steps[test.method] ?? []),
    ...(ofSample[test.sampleType] === undefined ? [] : [ofSample[test.sampleType] as string]),
  ];
  sheet.heading('Steps');
  for (const [i, step] of all.entries()) sheet.text(`${i + 1}. ${step}`, { size: 11 });
  return sheet.save();
}
