import type { PartnerAddress, PartnerPatient } from '../../partner.ts';

export const patient: PartnerPatient = {
  firstName: 'Ann',
  lastName: "O'Hara",
  birthDate: '1990-02-01',
  gender: 'female',
  phoneNumber: '+14155550100',
  email: 'ann@example.com',
};

export const address: PartnerAddress = {
  firstLine: '1 Main St',
  secondLine: null,
  city: 'Phoenix',
  state: 'AZ',
  zipCode: '85004',
  accessNotes: 'Gate code 1234',
};
