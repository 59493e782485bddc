import type { Route } from '../../../route/route.ts';
import { getResultHistoryRoute } from './get-result-history.ts';
import { getResultsMetadataRoute } from './get-results-metadata.ts';
import { getResultsPdfRoute } from './get-results-pdf.ts';
import { getResultsRoute } from './get-results.ts';
import { getTransactionResultsPdfRoute } from './get-transaction-results-pdf.ts';
import { getTransactionResultsRoute } from './get-transaction-results.ts';

export const resultRoutes: readonly Route[] = [
  getResultsRoute,
  getResultHistoryRoute,
  getResultsMetadataRoute,
  getResultsPdfRoute,
  getTransactionResultsRoute,
  getTransactionResultsPdfRoute,
];
