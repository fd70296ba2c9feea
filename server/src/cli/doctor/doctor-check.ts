/** One check: its result, and the fix if it failed. */
export interface Check {
  name: string
  status: 'ok' | 'warn' | 'fail'
  message: string
}

export function check(name: string, status: Check['status'], message: string): Check {
  return { name, status, message }
}
