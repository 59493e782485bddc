export const labSlugs = [
  'ayumetrix',
  'spiriplex',
  'ussl',
  'quest',
  'sonora_quest',
  'labcorp',
  'bioreference',
  'us_biotek',
  'manual',
  'sanocardio',
  'ihd',
  'nexus',
  'my_uti',
  'crl',
] as const;
export const centralLabs = ['quest', 'labcorp', 'bioreference', 'sonora_quest'] as const;
export const collectionMethods = ['testkit', 'walk_in_test', 'at_home_phlebotomy', 'on_site_collection'] as const;
export const sampleTypes = ['dried_blood_spot', 'arm_collector', 'serum', 'saliva', 'urine', 'stool'] as const;
export const labTestStatuses = ['active', 'pending_approval', 'inactive'] as const;
export const billingTypes = ['client_bill', 'commercial_insurance', 'patient_bill_passthrough', 'patient_bill'] as const;
export const labAccountStatuses = ['active', 'pending', 'suspended', 'ready_to_launch'] as const;
export const delegatedFlows = ['order_delegated', 'result_delegated', 'fully_delegated', 'not_delegated'] as const;
export const radii = ['10', '20', '25', '50', '100'] as const;
/** Existing clients send and expect exactly these names, including the second one. */
export const centerCapabilities = ['stat', 'appointment_scheduling_via_junction', 'appointment_scheduling_with_lab'] as const;
export const genders = ['female', 'male', 'other', 'unknown'] as const;
export const races = [
  'african_american_or_black',
  'asian',
  'indigenous_native_american_alaska_native',
  'other',
  'pacific_islander_or_hawaiian',
  'white_caucasian',
] as const;
export const ethnicities = ['hispanic', 'non_hispanic', 'ashkenazi_jewish', 'other'] as const;
export const sexualOrientations = ['lesbian_gay_or_homosexual', 'heterosexual_or_straight', 'bisexual', 'dont_know', 'other'] as const;
export const genderIdentities = [
  'male',
  'female',
  'female_to_male_ftm_transgender_male_trans_man',
  'male_to_female_mtf_transgender_female_trans_woman',
  'genderqueer',
  'other',
] as const;
export const relationships = ['Self', 'Spouse', 'Other'] as const;
export const interpretations = ['normal', 'abnormal', 'critical', 'unknown'] as const;
/** How a result is to be read. */
export const resultTypes = ['numeric', 'range', 'comment', 'coded_value'] as const;
/** Why an expected result is missing. */
export const failureTypes = [
  'quantity_not_sufficient_failure',
  'collection_process_failure',
  'drop_off_failure',
  'internal_lab_failure',
  'order_entry_failure',
  'non_failure',
  'unknown_failure',
  'patient_condition_failure',
  'missing_result_calc_failure',
  'missing_demo_aoe_calc_failure',
  'insufficient_volume',
] as const;
/** Codes of USPS that an address may have: the states, the District of Columbia, the territories, and military addresses. */
export const addressStates = [
  'AL AK AZ AR CA CO CT DE FL GA HI ID IL IN IA KS KY LA ME MD MA MI MN MS MO MT NE NV NH NJ NM NY NC ND OH OK OR PA RI SC SD TN TX UT VT VA WA',
  'WV WI WY DC AS GU MP PR VI AA AE AP',
].flatMap((codes) => codes.split(' '));
