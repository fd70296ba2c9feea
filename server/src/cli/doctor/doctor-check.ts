/** One thing that was looked at: how it is, and the mend where it is not well. */
export interface Check {
  name: string
  status: 'ok' | 'warn' | 'fail'
  message: string
}
