/** One check: its result, and the fix if it failed. */
export interface Check {
  name: string
  status: 'ok' | 'warn' | 'fail'
  message: string
}
