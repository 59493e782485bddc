/** The company's list. */
export const getlabsReasons: readonly string[] = [
  'Did not fast for appointment',
  'Do not trust company',
  'Getlabs cannot deliver to my preferred lab',
  'No longer interested',
  'Other',
  'Provider asked me to cancel',
  'Scheduled for wrong patient',
  'Scheduled time no longer works',
  'Unable to get lab order from provider',
  'Wanted to book in-person appointment',
  'Went to lab for appointment',
];
