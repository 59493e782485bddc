import { AppError, type ErrorCode } from '@pulsewire/kernel';

/** 404. */
export function notFound(code: ErrorCode, message: string): AppError {
  return new AppError({ code, kind: 'not_found', message });
}

/** 400: the request breaks a rule. */
export function refused(code: ErrorCode, message: string): AppError {
  return new AppError({ code, kind: 'invalid', message });
}
