import type { Layout } from './layout.ts';
import { ageBands } from './india/age-bands.ts';
import { chainWithMethods, wellnessTechnology } from './india/chains.ts';
import { collectionCentre, corporateHospital, metroChain } from './india/drawn.ts';
import { diagnosticCentre, healthCheck, wordProcessorLab } from './india/office-documents.ts';
import { governmentHospital, missionHospital } from './india/roff-reports.ts';
import { accreditedHospital, bookingApp } from './india/screens.ts';
import { dotMatrix } from './india/small-labs.ts';
import { diabetesClinic, medicalInstitute } from './india/typeset.ts';
import { homeKit } from './uk/drawn.ts';
import { hospitalPathology, wardPrintout } from './uk/hospital-text.ts';
import { consultantLetter, occupationalHealth } from './uk/office-documents.ts';
import { patientApp, practiceRecord } from './uk/practice.ts';
import { cumulativeSheet } from './uk/roff-reports.ts';
import { privateClinic, resultsViewer } from './uk/screens.ts';
import { privateLaboratory, researchHospital } from './uk/typeset.ts';
import { consumerDashboard, lipidRisk, twoColumns } from './us/consumer.ts';
import { cumulativeNewestFirst, cumulativeOldestFirst } from './us/cumulative.ts';
import { scaleReport, urgentCare } from './us/drawn.ts';
import { hospitalPortal } from './us/hospital-portal.ts';
import { inlineNote } from './us/inline-text.ts';
import { governmentText, hospitalText } from './us/line-printer.ts';
import { nationalInOut } from './us/national-in-out.ts';
import { nationalPrevious } from './us/national-previous.ts';
import { clinicForm, wellnessLetter } from './us/office-documents.ts';
import { infectionPanel, officeLab, referenceBox } from './us/roff-reports.ts';
import { dischargeSummary } from './us/discharge-summary.ts';
import { endocrineCenter, resultParagraphs, universityLab } from './us/typeset.ts';

const unitedStates = [
  nationalInOut,
  nationalPrevious,
  hospitalPortal,
  cumulativeNewestFirst,
  cumulativeOldestFirst,
  consumerDashboard,
  twoColumns,
  lipidRisk,
  hospitalText,
  governmentText,
  inlineNote,
  universityLab,
  endocrineCenter,
  resultParagraphs,
  clinicForm,
  wellnessLetter,
  referenceBox,
  officeLab,
  infectionPanel,
  urgentCare,
  scaleReport,
  dischargeSummary,
];
const unitedKingdom = [
  practiceRecord,
  patientApp,
  privateClinic,
  resultsViewer,
  hospitalPathology,
  wardPrintout,
  privateLaboratory,
  researchHospital,
  occupationalHealth,
  consultantLetter,
  cumulativeSheet,
  homeKit,
];
const india = [
  chainWithMethods,
  wellnessTechnology,
  accreditedHospital,
  bookingApp,
  dotMatrix,
  medicalInstitute,
  diabetesClinic,
  wordProcessorLab,
  diagnosticCentre,
  healthCheck,
  missionHospital,
  governmentHospital,
  metroChain,
  corporateHospital,
  collectionCentre,
  ageBands,
];

export const layouts: readonly Layout[] = [...unitedStates, ...unitedKingdom, ...india];
