-- Owner: packages/labs.
SELECT 1;
