import { AdminFault } from './admin-fault.ts'

const MAX_RETRIES = 2

/** Whether a request is sent again: while the service restarts it is; after a refusal it is not. */
export function retry(count: number, error: unknown): boolean {
  return count < MAX_RETRIES && error instanceof AdminFault && (error.status === 0 || error.status >= 502)
}
